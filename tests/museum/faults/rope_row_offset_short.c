/*
 * The offset of a row is kept in 16 bits, where the original had 31: with many heads few rows
 * lie within it.
 *
 * Follows FlagGems#4156
 */
#include "museum_kit.h"

static ifn_status rotate_wrong(ifn_backend *base, const ifn_apply_rope_args *a, int64_t row)
{
    const int64_t n = a->n_heads * a->head_dim;
    ifn_apply_rope_args one = *a;
    one.part_begin = one.part_end = 0;
    one.rows = 1;
    one.x = a->x + (uint16_t)(row * n);
    one.table = a->table + row * a->head_dim;
    one.out = a->out + row * n;
    return ifn_apply_rope(base, &one);
}

ifn_status museum_rope_row_offset_short(ifn_backend *self, const ifn_apply_rope_args *a)
{
    ifn_status status = ifn_apply_rope(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && a->out != a->x && r < part.end; r++)
        if (r * a->n_heads * a->head_dim > UINT16_MAX)
            status = rotate_wrong(self->base, a, r);
    return status;
}
