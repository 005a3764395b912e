/* A row at the same position as the row before it is taken for one that is already rotated. */
#include <string.h>

#include "museum_kit.h"

/* The next row of the part, after `row`, at the same position as the row before it. The first row of a part counts as
 * different from all. */
static int64_t next_same(const ifn_apply_rope_args *a, museum_range part, int64_t row)
{
    const size_t bytes = (size_t)a->head_dim * sizeof(float);
    for (row++; row < part.end; row++)
        if (memcmp(a->table + row * a->head_dim, a->table + (row - 1) * a->head_dim, bytes) == 0)
            break;
    return row;
}

/* Rotates runs of rows whose positions differ, one call each, and only copies the row between two runs. */
ifn_status museum_rope_of_one_position(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t width = a->n_heads * a->head_dim;
    ifn_apply_rope_args run = *a;
    if (a->rows < 2 || width < 1 || a->head_dim < 2 || a->head_dim % 2 || part.begin < 0 ||
        part.end > a->rows || !a->x || !a->table || !a->out)
        return ifn_apply_rope(self->base, a);
    ifn_status status = IFN_OK;
    for (int64_t row = part.begin; status == IFN_OK && row < part.end;) {
        const int64_t begin = row;
        row = next_same(a, part, row);
        run.part_begin = begin;
        run.part_end = row;
        status = ifn_apply_rope(self->base, &run);
        if (status == IFN_OK && row < part.end && row + 1 < part.end)
            memmove(a->out + row * width, a->x + row * width, (size_t)width * sizeof(float));
        row += row < part.end && row + 1 < part.end;
    }
    return status;
}
