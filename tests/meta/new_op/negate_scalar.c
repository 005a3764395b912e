#include "scalar.h"

ifn_status ifn_scalar_negate(ifn_backend *self, const ifn_negate_args *a)
{
    (void)self;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[i] = -a->x[i];
    return IFN_OK;
}
