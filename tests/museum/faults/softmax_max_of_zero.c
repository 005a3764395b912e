/*
 * A maximum over 32 lanes, of which those after a short row hold 0: far below zero every
 * exponential vanishes, and so does their sum.
 *
 * Follows rvllm#1
 */
#include <math.h>

#include "museum_kit.h"

static int is_below_zero(const float *x, int64_t n)
{
    for (int64_t c = 0; c < n; c++)
        if (!(x[c] < 0))
            return 0;
    return n < 32;
}

static void unshifted(const float *x, float *out, int64_t n)
{
    float sum = 0;
    for (int64_t c = 0; c < n; c++)
        sum += expf(x[c]);
    for (int64_t c = 0; c < n; c++)
        out[c] = expf(x[c]) / sum;
}

ifn_status museum_softmax_max_of_zero(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && a->out != a->x && r < part.end; r++)
        if (is_below_zero(a->x + r * a->cols, a->cols))
            unshifted(a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return status;
}
