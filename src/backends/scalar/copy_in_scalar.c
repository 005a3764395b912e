#include "scalar.h"

ifn_status ifn_scalar_copy_in(ifn_backend *self, const ifn_copy_in_args *a)
{
    (void)self;
    if (a->bytes > 0)
        memcpy(a->out, a->host, a->bytes);
    return IFN_OK;
}
