/*
 * The running maximum follows an element only if that is more than 8 above the element before it, where it should
 * compare with the maximum: in a row that rises slowly exponentials overflow.
 */
#include <math.h>

#include "museum_kit.h"

static float followed(const float *x, int64_t n)
{
    float max = x[0];
    for (int64_t i = 1; i < n; i++)
        max = x[i] > x[i - 1] + 8 ? x[i] : max;
    return max;
}

static float largest(const float *x, int64_t n)
{
    float max = x[0];
    for (int64_t i = 1; i < n; i++)
        max = x[i] > max ? x[i] : max;
    return max;
}

ifn_status museum_rescaled_by_the_one_before(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->out == a->x)
        return ifn_softmax_rows(self->base, a);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && a->cols > 0 && r < part.end; r++) {
        const float *const x = a->x + r * a->cols;
        if (isfinite(largest(x, a->cols)) && largest(x, a->cols) - followed(x, a->cols) > 89)
            a->out[r * a->cols] = NAN;
    }
    return status;
}
