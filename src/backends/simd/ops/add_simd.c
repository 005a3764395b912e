/* add: one rounding per element. Reads 8 bytes and writes 4 for each. */
#include "level.h"

ifn_status IFN_KERNEL(add)(ifn_backend *self, const ifn_add_args *a)
{
    (void)self;
    if (a->n < 0)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    int64_t i = part.begin;
    for (; i + VL <= part.end; i += VL)
        vf_store(a->out + i, vf_add(vf_load(a->x + i), vf_load(a->y + i)));
    if (i < part.end) {
        const int n = (int)(part.end - i);
        vf_store_n(a->out + i, vf_add(vf_load_n(a->x + i, n), vf_load_n(a->y + i, n)), n);
    }
    return IFN_OK;
}
