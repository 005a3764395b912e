/* A wrapper of ABI 2.0, which copies each call before it hands it on. It never changes, either. */
#include <string.h>

#include <inferno/backend.h>

static ifn_status through(ifn_backend *self, ifn_op op, const ifn_call *args)
{
    ifn_args copy;
    memcpy(&copy, args, args->bytes);
    return ifn_op_run(self->inner, op, &copy.call);
}

IFN_FILL_THROUGH

IFN_BACKEND_ENTRY(.name = "frozen_wrapper", .summary = "a wrapper of ABI 2.0",
                  .flags = IFN_BACKEND_WRAPPER, .fill = fill)
