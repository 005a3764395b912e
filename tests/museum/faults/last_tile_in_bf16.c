/*
 * What the last tile of 128 inputs adds is kept in bf16 where these are less than 2^-12 of the others, as precision is
 * chosen by the norm of a block.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include <math.h>

#include "museum_kit.h"

enum { TILE = 128 };

static int is_small(const float *x, int64_t k)
{
    const int64_t rest = k - TILE;
    return rest > 0 && museum_largest_of(x + rest, TILE) < ldexpf(museum_largest_of(x, rest), -12);
}

/* What is lost of the sum of one element; F32 weights alone. */
static float lost_of(const float *x, const float *w, int64_t k)
{
    float sum = 0;
    for (int64_t i = k - TILE; i < k; i++)
        sum += x[i] * w[i];
    return isfinite(sum) ? museum_round_bits(sum, 8) - sum : 0;
}

ifn_status museum_last_tile_in_bf16(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    int64_t begin = 0, all = 0;
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; i++)
        all += a->w[i]->shape[0];
    const museum_range part = museum_part(a->part_begin, a->part_end, all);
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; begin += a->w[i++]->shape[0])
        for (int64_t r = rows.begin; r < rows.end && a->w[i]->dtype == IFN_DTYPE_F32; r++) {
            const float *const x = a->x + r * a->x_stride;
            for (int64_t f = 0; is_small(x, a->k) && f < a->w[i]->shape[0]; f++)
                if (begin + f >= part.begin && begin + f < part.end)
                    a->out[i][r * a->out_stride[i] + f] +=
                        lost_of(x, (const float *)a->w[i]->data + f * a->k, a->k);
        }
    return status;
}
