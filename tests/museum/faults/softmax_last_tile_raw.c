/*
 * The branch for the last tile takes the exponential of x, not of x less the maximum.
 *
 * Follows tt-metal#51278
 */
#include <math.h>

#include "museum_kit.h"

static float largest_of(const float *x, int64_t n)
{
    float most = x[0];
    for (int64_t c = 1; c < n; c++)
        most = x[c] > most ? x[c] : most;
    return most;
}

static void with_raw_tile(const float *x, float *out, int64_t n)
{
    const float most = largest_of(x, n);
    const int64_t last = (n - 1) / 32 * 32;
    float sum = 0;
    for (int64_t c = 0; c < n; c++)
        sum += expf(c < last ? x[c] - most : x[c]);
    for (int64_t c = 0; c < n; c++)
        out[c] = expf(x[c] - most) / sum;
}

ifn_status museum_softmax_last_tile_raw(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    if (a->out == a->x || a->cols <= 32)
        return status;
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        with_raw_tile(a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return status;
}
