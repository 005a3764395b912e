/* silu: some 20 operations per element, the exponential of vec_math.h among them. */
#include "map.h"
#include "vec_math.h"

ifn_status IFN_KERNEL(silu)(ifn_backend *self, const ifn_silu_args *a)
{
    (void)self;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    IFN_MAP(a->out, ifn_part(a->part_begin, a->part_end, a->n), vf_silu(vf_get(a->x + i, n)));
    return IFN_OK;
}
