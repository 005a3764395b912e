/* The tensors of a timed call in the memory of a device. */
#ifndef IFN_CLI_BENCH_DEVICE_H
#define IFN_CLI_BENCH_DEVICE_H

#include <inferno/backend.h>

#include "tensor.h"

typedef struct bench_device {
    ifn_backend *backend; /* a chain that ends in a device */
    const conform_layout *layout;
    void *const *host; /* what the tensors are copied from */
    void **there;      /* where they are: addresses on the device, NULL where none is needed yet */
} bench_device;

/* Points the tensors of a call that is bound to `host` to buffers of the device, with
 * what the host has in them; what ops read in memory of the host stays there.
 * Errors  IFN_ERR_NOMEM; what copy_in returns. What there is then is to be freed as well. */
IFN_NODISCARD ifn_status bench_device_place(const bench_device *self, ifn_op op, ifn_call *call,
                                            ifn_error *err);
/* The buffer of tensor i. */
void bench_device_free(const bench_device *self, int i);

#endif
