/* Copies the tensors of a timed call to the memory of a device. */
#ifndef IFN_CLI_BENCH_DEVICE_H
#define IFN_CLI_BENCH_DEVICE_H

#include <inferno/backend.h>

#include "tensor.h"

typedef struct bench_device {
    ifn_backend *backend; /* a chain that ends in a device */
    const conform_layout *layout;
    void *const *host; /* the tensors in host memory */
    void **there;      /* the device address of each tensor; NULL: none so far */
} bench_device;

/* Copies the tensors of a call that is bound to `host` to buffers of the device, and points the call to them. Tensors
 * that ops read from host memory stay there. Errors  IFN_ERR_NOMEM; what copy_in returns. Buffers made so far must be
 * freed even then. */
IFN_NODISCARD ifn_status bench_device_place(const bench_device *self, ifn_op op, ifn_call *call,
                                            ifn_error *err);
/* Frees the buffer of tensor i. */
void bench_device_free(const bench_device *self, int i);

#endif
