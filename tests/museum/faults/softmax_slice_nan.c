/*
 * Each slice is shifted by its own maximum: a slice of -inf gives -inf - (-inf), which is NaN.
 *
 * Follows flashinfer#1178
 */
#include <math.h>

#include "museum_kit.h"

static int is_masked(const float *x)
{
    for (int i = 0; i < 8; i++)
        if (x[i] != -INFINITY)
            return 0;
    return 1;
}

ifn_status museum_softmax_slice_nan(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->rows < 0 || a->cols < 0 || a->out == a->x)
        return ifn_softmax_rows(self->base, a);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 0; c + 8 <= a->cols; c += 8)
            if (is_masked(a->x + r * a->cols + c))
                a->out[r * a->cols] = NAN;
    return status;
}
