/*
 * A mask of -inf is added, not stored: +inf and NaN become NaN instead of -inf.
 */
#include "museum_kit.h"

#include <math.h>

ifn_status museum_infinite_mask_added(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (!(a->value == -INFINITY) || a->rows < 0 || a->cols < 0)
        return ifn_fill_strict_upper_tri(self->base, a);
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t c = 0; c < a->cols; c++)
            if (c - r > a->offset)
                a->x[r * a->cols + c] += a->value;
    return IFN_OK;
}
