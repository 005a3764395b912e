/* apply_rope: six operations for each pair. Reads 8 bytes an element (4 of them shared by the heads
 * of a row), writes 4. */
#include "rope_head.h"

ifn_status IFN_KERNEL(apply_rope)(ifn_backend *self, const ifn_apply_rope_args *a)
{
    (void)self;
    if (a->rows < 0 || a->n_heads < 0 || !ifn_scalar_rope_fits(a->head_dim, a->pairing))
        return IFN_ERR_SHAPE;
    if (a->head_dim == 0)
        return IFN_OK;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++) {
        for (int64_t h = 0; h < a->n_heads; h++) {
            const int64_t head = (r * a->n_heads + h) * a->head_dim;
            rotate_head(a->x + head, a->table + r * a->head_dim, a->out + head, a->head_dim,
                        a->pairing);
        }
    }
    return IFN_OK;
}
