/* For architectures without a trampoline: calls the op, and tells nothing about its registers. */
#include "abi.h"

uint32_t conform_abi_call(conform_op_fn fn, ifn_backend *backend, const ifn_call *args,
                          ifn_status *status)
{
    *status = fn(backend, args);
    return 0;
}
