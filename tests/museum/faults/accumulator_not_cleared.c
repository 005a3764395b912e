/*
 * The accumulator of the last column is not cleared: it starts with the sum of the previous call.
 *
 * Follows llama.cpp#28281
 */
#include "museum_kit.h"

static float left_over;

ifn_status museum_accumulator_not_cleared(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    const ifn_status status = ifn_sum_squares_axis(self->base, a);
    const int64_t n = a->axis == 1 ? a->rows : a->cols;
    const museum_range part = museum_part(a->part_begin, a->part_end, n);
    if (status != IFN_OK || n == 0 || part.end != n)
        return status;
    const float sum = a->out[n - 1];
    a->out[n - 1] = sum + left_over;
    left_over = left_over == 0 ? sum : 0;
    return status;
}
