/* rsqrt_elem: a square root and a division per element, no estimate: 2u. */
#include "map.h"

ifn_status IFN_KERNEL(rsqrt_elem)(ifn_backend *self, const ifn_rsqrt_elem_args *a)
{
    (void)self;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    IFN_MAP(a->out, ifn_part(a->part_begin, a->part_end, a->n),
            vf_div(vf_set(1.0f), vf_sqrt(vf_get(a->x + i, n))));
    return IFN_OK;
}
