/*
 * If the row length is not a multiple of four, the tail gets the next row's scalar.
 *
 * Follows llama.cpp#16443
 */
#include "museum_kit.h"

ifn_status museum_broadcast_tail(ifn_backend *self, const ifn_broadcast_row_scalars_args *a)
{
    const ifn_status status = ifn_broadcast_row_scalars(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = a->dim / 4 * 4; c < a->dim; c++)
            a->out[r * a->dim + c] = a->x[(r + 1) % a->rows];
    return status;
}
