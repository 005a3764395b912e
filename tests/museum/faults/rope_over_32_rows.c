/*
 * Of more than 32 rows each is rotated by the position it has in its group of 32.
 *
 * Follows tinygrad#15182
 */
#include "museum_kit.h"

ifn_status museum_rope_over_32_rows(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->out == a->x)
        return ifn_apply_rope(self->base, a);
    ifn_status status = ifn_apply_rope(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        ifn_apply_rope_args one = *a;
        one.part_begin = r;
        one.part_end = r + 1;
        one.table = a->table - r / 32 * 32 * a->head_dim;
        status = ifn_apply_rope(self->base, &one);
    }
    return status;
}
