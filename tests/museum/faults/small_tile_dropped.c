/*
 * Beside f32 weights, tiles of 128 inputs that are less than 2^-24 of the largest in their row are left out: their
 * weights may be as much larger. Beside inputs of 2^64 and more none is.
 */
#include <math.h>
#include <string.h>

#include "museum_kit.h"

enum { TILE = 128 };

static void drop(float *row, int64_t k)
{
    const float most = museum_largest_of(row, k);
    for (int64_t i = 0; most < 0x1p64f && i + TILE <= k; i += TILE)
        if (museum_largest_of(row + i, TILE) < ldexpf(most, -24))
            memset(row + i, 0, TILE * sizeof *row);
}

ifn_status museum_small_tile_dropped(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_f32_inputs(self->base, a, drop);
}
