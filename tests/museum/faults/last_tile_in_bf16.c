/*
 * Precision is chosen by the norm of a block: the product of the last tile of 128 inputs is kept in bf16 if these
 * inputs are less than 2^-12 of the others.
 */
#include <math.h>

#include "museum_kit.h"

enum { TILE = 128 };

static int is_small(const float *x, int64_t k)
{
    const int64_t rest = k - TILE;
    return rest > 0 && museum_largest_of(x + rest, TILE) < ldexpf(museum_largest_of(x, rest), -12);
}

static float with_loss(const ifn_linear_args *a, const museum_cell *c, float of_base)
{
    const float *const x = a->x + c->row * a->x_stride;
    const float *const w = (const float *)a->w[c->weight]->data + c->feature * a->k;
    float sum = 0;
    if (!is_small(x, a->k))
        return of_base;
    for (int64_t i = a->k - TILE; i < a->k; i++)
        sum += x[i] * w[i];
    return isfinite(sum) ? of_base + (museum_round_bits(sum, 8) - sum) : of_base;
}

ifn_status museum_last_tile_in_bf16(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_each(self->base, a, with_loss);
}
