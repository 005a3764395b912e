/*
 * Lanes after the end of a row are not masked off: they hold the next row.
 *
 * Follows gemma.cpp#23
 */
#include "museum_kit.h"

ifn_status museum_next_row_in_tail(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    const ifn_status status = ifn_sum_squares_axis(self->base, a);
    if (status != IFN_OK || a->axis != 1 || a->cols % 8 == 0)
        return status;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t c = a->cols; c < a->cols / 8 * 8 + 8; c++)
            if (r * a->cols + c < a->rows * a->cols)
                a->out[r] += museum_product(a->x[r * a->cols + c], a->x[r * a->cols + c]);
    return status;
}
