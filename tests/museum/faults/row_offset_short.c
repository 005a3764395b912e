/*
 * The offset of a row is kept in 16 bits, where the original had 31.
 *
 * Follows mlx#4548
 */
#include "museum_kit.h"

ifn_status museum_row_offset_short(ifn_backend *self, const ifn_copy_2d_from_cols_args *a)
{
    const ifn_status status = ifn_copy_2d_from_cols(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 0; c < a->cols; c++)
            a->out[r * a->cols + c] = a->x[(uint16_t)(r * a->x_cols) + a->col_begin + c];
    return status;
}
