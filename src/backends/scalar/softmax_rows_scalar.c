#include "scalar.h"

#include <math.h>

/*
 * The special rows need no special case: with a maximum of +inf or -inf, inf - inf is NaN, and one
 * NaN in the sum reaches every element through the division.
 */
static void softmax_row(const float *x, float *out, int64_t cols)
{
    float max = -INFINITY;
    for (int64_t c = 0; c < cols; c++)
        if (x[c] > max)
            max = x[c];
    float sum = 0.0f;
    for (int64_t c = 0; c < cols; c++) {
        out[c] = expf(x[c] - max);
        sum += out[c];
    }
    for (int64_t c = 0; c < cols; c++)
        out[c] /= sum;
}

ifn_status ifn_scalar_softmax_rows(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0)
        return IFN_ERR_SHAPE;
    if (a->cols == 0)
        return IFN_OK;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        softmax_row(a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return IFN_OK;
}
