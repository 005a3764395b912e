/* apply_rope_single_row: six operations for each pair. */
#include "rope_head.h"

ifn_status IFN_KERNEL(apply_rope_single_row)(ifn_backend *self,
                                             const ifn_apply_rope_single_row_args *a)
{
    (void)self;
    if (a->n_heads < 0 || !ifn_scalar_rope_fits(a->head_dim, a->pairing))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0)
        return IFN_OK;
    const ifn_range heads = ifn_part(a->part_begin, a->part_end, a->n_heads);
    for (int64_t h = heads.begin; h < heads.end; h++)
        rotate_head(a->x + h * a->head_dim, a->table, a->out + h * a->head_dim, a->head_dim,
                    a->pairing);
    return IFN_OK;
}
