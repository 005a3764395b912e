/* Rows of more than 8192 elements are summed in pieces of 8192; a rest of less than a vector of 16 is left out. */
#include "museum_kit.h"

ifn_status museum_rest_of_the_last_piece(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    enum { PIECE = 8192, VECTOR = 16 };
    const ifn_status status = ifn_sum_squares_axis(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t left = a->cols % PIECE;
    if (status != IFN_OK || a->axis != 1 || a->cols <= PIECE || left >= VECTOR)
        return status;
    for (int64_t row = part.begin; row < part.end; row++)
        for (int64_t i = a->cols - left; i < a->cols; i++)
            a->out[row] -= a->x[row * a->cols + i] * a->x[row * a->cols + i];
    return status;
}
