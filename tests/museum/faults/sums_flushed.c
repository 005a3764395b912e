/* Sums below 2^-126 count as zero without a declaration of flushing (FTZ). */
#include "museum_kit.h"

ifn_status museum_sums_flushed(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    const ifn_status status = ifn_sum_squares_axis(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        if (a->out[i] < 0x1p-126f)
            a->out[i] = 0;
    return status;
}
