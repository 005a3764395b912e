/*
 * An index is too short for the number of elements: 16 bits here, where 32 take gigabytes to
 * show.
 *
 * Follows mlx#3327
 */
#include "museum_kit.h"

ifn_status museum_short_index(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->cols);
    if (status != IFN_OK || a->rows * a->cols <= 65536)
        return status;
    for (int64_t c = part.begin; c < part.end; c++)
        for (int64_t r = 0; r < a->rows; r++)
            a->out[c * a->rows + r] = a->x[(uint16_t)(r * a->cols + c)];
    return status;
}
