/* Weights: sent once, and resident on the device from then on. */
#include "opencl.h"

#include <string.h>

#include <inferno/quant.h>

enum { USES = IFN_USE_GATHER_ROWS | IFN_USE_LINEAR | IFN_USE_LINEAR_Q8 };

void ifn_opencl_release(ifn_backend *backend, ifn_packed *packed)
{
    const ifn_allocator *const buffers = backend->buffers;
    if (packed->data)
        buffers->free(buffers->cookie, packed->data, packed->bytes);
    *packed = (ifn_packed){0};
}

/* Turns the allocator's out-of-memory message into one that names the weight. */
static ifn_status say_no_room(ifn_opencl *self, const ifn_tensor *w, ifn_error *err)
{
    pthread_mutex_lock(&self->lock);
    const char *const why = self->has_reason ? strstr(self->reason.text, IFN_OPENCL_BUFFERS) : NULL;
    const ifn_status status =
        ifn_fail(err, IFN_ERR_NOMEM, "backend 'opencl': %s%s", w->name,
                 why ? why + strlen(IFN_OPENCL_BUFFERS) : ": there are no addresses left");
    self->has_reason = false;
    pthread_mutex_unlock(&self->lock);
    return status;
}

static ifn_status send(ifn_backend *backend, const ifn_tensor *w, const ifn_packed *to,
                       ifn_error *err)
{
    const ifn_copy_in_args a =
        IFN_ARGS(copy_in, .out = to->data, .host = w->data, .bytes = to->bytes);
    ifn_status status = ifn_opencl_copy_in(ifn_opencl_of(backend), &a);
    if (status == IFN_OK)
        status = ifn_opencl_synchronize(backend, 0);
    if (status != IFN_OK && err)
        (void)ifn_opencl_explain(backend, err);
    return status;
}

/* A handle is an address in a buffer, like that of a tensor. */
static ifn_status prepare_one(ifn_backend *backend, const ifn_tensor *w, uint32_t uses,
                              ifn_packed *out, ifn_error *err)
{
    const ifn_allocator *const buffers = backend->buffers;
    const size_t bytes = ifn_matrix_bytes(w);
    *out = (ifn_packed){0};
    if (bytes == 0 || !(uses & USES))
        return IFN_OK;
    void *const data = buffers->alloc(buffers->cookie, bytes, IFN_ADDRESS_GAP);
    if (!data)
        return say_no_room(ifn_opencl_of(backend), w, err);
    *out = (ifn_packed){.data = data, .bytes = bytes, .ops = uses & USES};
    const ifn_status status = send(backend, w, out, err);
    if (status != IFN_OK)
        ifn_opencl_release(backend, out);
    return status;
}

ifn_status ifn_opencl_prepare(ifn_backend *backend, const ifn_tensor *const *w, int n,
                              uint32_t uses, ifn_packed *out, ifn_error *err)
{
    for (int i = 0; i < n; i++) {
        const ifn_status status = prepare_one(backend, w[i], uses, &out[i], err);
        if (status == IFN_OK)
            continue;
        while (i-- > 0)
            ifn_opencl_release(backend, &out[i]);
        return status;
    }
    return IFN_OK;
}
