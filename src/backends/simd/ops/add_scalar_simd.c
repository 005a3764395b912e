/* add_scalar: one rounding per element. Reads 4 bytes and writes 4 for each. */
#include "map.h"

ifn_status IFN_KERNEL(add_scalar)(ifn_backend *self, const ifn_add_scalar_args *a)
{
    (void)self;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    IFN_MAP(a->out, ifn_part(a->part_begin, a->part_end, a->n),
            vf_add(vf_get(a->x + i, n), vf_set(a->value)));
    return IFN_OK;
}
