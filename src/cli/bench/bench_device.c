#include "bench_device.h"

#include <stdint.h>
#include <string.h>

#include <inferno/signature_values.h>

/* Returns the size of a buffer: kernels may read IFN_MAX_OVERREAD bytes past the end of a tensor. */
static size_t buffer_bytes(const bench_device *self, int i)
{
    return self->layout->t[i].bytes + IFN_MAX_OVERREAD;
}

void bench_device_free(const bench_device *self, int i)
{
    const ifn_allocator *const buffers = self->backend->buffers;
    buffers->free(buffers->cookie, self->there[i], buffer_bytes(self, i));
    self->there[i] = NULL;
}

/* Returns the index of the tensor that contains p; -1: none. */
static int tensor_at(const bench_device *self, const void *p)
{
    const uintptr_t at = (uintptr_t)p;
    for (int i = 0; i < self->layout->n; i++) {
        const uintptr_t begin = (uintptr_t)self->host[i];
        if (begin && at >= begin && at - begin <= self->layout->t[i].bytes)
            return i;
    }
    return -1;
}

static ifn_status send(const bench_device *self, int i, ifn_error *err)
{
    const ifn_allocator *const buffers = self->backend->buffers;
    const size_t bytes = self->layout->t[i].bytes;
    self->there[i] = buffers->alloc(buffers->cookie, buffer_bytes(self, i), 64);
    if (!self->there[i])
        return ifn_fail(err, IFN_ERR_NOMEM, "%s: no memory for %s, %zu bytes",
                        ifn_backend_expression(self->backend), self->layout->t[i].name, bytes);
    const ifn_status status =
        ifn_copy_in(self->backend, &IFN_ARGS(copy_in, .out = self->there[i], .host = self->host[i],
                                             .bytes = bytes));
    return status == IFN_OK ? IFN_OK
                            : ifn_fail(err, status, "%s: copy_in of %s: found %s",
                                       ifn_backend_expression(self->backend),
                                       self->layout->t[i].name, ifn_status_name(status));
}

static ifn_status point_there(const bench_device *self, void *field, ifn_error *err)
{
    const char *p;
    memcpy(&p, field, sizeof p);
    const int i = p ? tensor_at(self, p) : -1;
    if (i < 0)
        return IFN_OK;
    if (!self->there[i])
        IFN_TRY(send(self, i, err));
    p = (const char *)self->there[i] + (p - (const char *)self->host[i]);
    memcpy(field, &p, sizeof p);
    return IFN_OK;
}

ifn_status bench_device_place(const bench_device *self, ifn_op op, ifn_call *call, ifn_error *err)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; ifn_arg_is_tensor(&s.args[i]) && !s.args[i].is_host && k < s.args[i].count;
             k++)
            IFN_TRY(point_there(self, (char *)call + s.args[i].offset + (size_t)k * sizeof(void *),
                                err));
    return IFN_OK;
}
