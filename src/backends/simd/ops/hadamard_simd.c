/* hadamard: one rounding per element. Reads 8 bytes and writes 4 for each. */
#include "map.h"

ifn_status IFN_KERNEL(hadamard)(ifn_backend *self, const ifn_hadamard_args *a)
{
    (void)self;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    IFN_MAP(a->out, ifn_part(a->part_begin, a->part_end, a->n),
            vf_mul(vf_get(a->x + i, n), vf_get(a->y + i, n)));
    return IFN_OK;
}
