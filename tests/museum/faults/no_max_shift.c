/* The exponential is taken of x, not of x less the maximum of its row. */
#include <math.h>

#include "museum_kit.h"

static void softmax(float *out, const float *x, int64_t n)
{
    float sum = 0;
    for (int64_t c = 0; c < n; c++)
        sum += expf(x[c]);
    for (int64_t c = 0; c < n; c++)
        out[c] = expf(x[c]) / sum;
}

ifn_status museum_no_max_shift(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->rows < 0 || a->cols < 0 || a->out == a->x)
        return ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; r < part.end; r++)
        softmax(a->out + r * a->cols, a->x + r * a->cols, a->cols);
    return IFN_OK;
}
