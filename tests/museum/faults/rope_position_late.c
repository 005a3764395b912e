/* Rows after the first are rotated by the position before theirs. */
#include "museum_kit.h"

ifn_status museum_rope_position_late(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->out == a->x || a->rows < 2)
        return ifn_apply_rope(self->base, a);
    ifn_status status = ifn_apply_rope(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++) {
        ifn_apply_rope_args one = *a;
        one.part_begin = r;
        one.part_end = r + 1;
        one.table = a->table - (r > 0 ? a->head_dim : 0);
        status = ifn_apply_rope(self->base, &one);
    }
    return status;
}
