/* Weights: sent once, and resident from then on. */
#include "opencl.h"

#include <inferno/quant.h>

enum { USES = IFN_USE_GATHER_ROWS | IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 };

void ifn_opencl_release(ifn_backend *backend, ifn_packed *packed)
{
    ifn_opencl *const self = ifn_opencl_of(backend);
    if (packed->data) {
        pthread_mutex_lock(&self->lock);
        ifn_opencl_memory_give_back(self, packed->data, packed->bytes);
        pthread_mutex_unlock(&self->lock);
    }
    *packed = (ifn_packed){0};
}

static ifn_status send(ifn_opencl *self, const ifn_tensor *w, size_t bytes, cl_mem *out,
                       ifn_error *err)
{
    pthread_mutex_lock(&self->lock);
    *out = ifn_opencl_memory_take(self, bytes, w->data, w->name);
    if (!*out) {
        if (err)
            *err = self->reason;
        self->has_reason = false;
    }
    pthread_mutex_unlock(&self->lock);
    return *out ? IFN_OK : IFN_ERR_NOMEM;
}

static ifn_status prepare_one(ifn_opencl *self, const ifn_tensor *w, uint32_t uses, ifn_packed *out,
                              ifn_error *err)
{
    const size_t bytes = (size_t)w->shape[0] * ifn_dtype_row_bytes(w->dtype, w->shape[1]);
    *out = (ifn_packed){0};
    if (bytes == 0 || !(uses & USES))
        return IFN_OK;
    cl_mem memory;
    IFN_TRY(send(self, w, bytes, &memory, err));
    *out = (ifn_packed){.data = memory, .bytes = bytes, .ops = uses & USES};
    return IFN_OK;
}

ifn_status ifn_opencl_prepare(ifn_backend *backend, const ifn_tensor *const *w, int n,
                              uint32_t uses, ifn_packed *out, ifn_error *err)
{
    for (int i = 0; i < n; i++) {
        const ifn_status status = prepare_one(ifn_opencl_of(backend), w[i], uses, &out[i], err);
        if (status == IFN_OK)
            continue;
        while (i-- > 0)
            ifn_opencl_release(backend, &out[i]);
        return status;
    }
    return IFN_OK;
}
