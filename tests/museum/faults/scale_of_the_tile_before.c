/*
 * Scales of tiles of 128 inputs are kept as shifts of at most 24 from that of the tile before: what is smaller still is
 * given that one's, so shifted, and comes out too large.
 */
#include <math.h>

#include "museum_kit.h"

enum { TILE = 128, STEPS = 24 };

/* Of a tile of zeros, or with inputs of 2^64 and more, there is none to take. */
static int exponent_of(const float *tile)
{
    int exponent = 0;
    const float most = museum_largest_of(tile, TILE);
    if (most < 0x1p64f && most > 0)
        (void)frexpf(most, &exponent);
    return exponent;
}

static void rescale(float *row, int64_t k)
{
    for (int64_t i = (k / TILE - 1) * TILE; i >= TILE; i -= TILE) {
        const int lacks = exponent_of(row + i - TILE) - STEPS - exponent_of(row + i);
        for (int j = 0; j < TILE && lacks > 0; j++)
            row[i + j] = ldexpf(row[i + j], lacks);
    }
}

ifn_status museum_scale_of_the_tile_before(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_f32_inputs(self->base, a, rescale);
}
