/*
 * The path for several rows runs over k in tiles of 32: if k is an odd multiple of 16, the last 16 terms are left
 * out. The path for one row is right.
 *
 * Follows mlx#3912
 */
#include "museum_kit.h"

static void clear_half(float *row, int64_t k)
{
    for (int64_t i = k - 16; k > 32 && k % 32 == 16 && i < k; i++)
        row[i] = 0;
}

ifn_status museum_half_a_tile_of_k(ifn_backend *self, const ifn_linear_args *a)
{
    return a->rows > 1 ? museum_linear_inputs(self->base, a, clear_half)
                       : ifn_linear(self->base, a);
}
