/*
 * In Q6_K groups of 16 are multiplied by their neighbour's scale.
 *
 * Follows aprender#2141
 */
#include "museum_kit.h"

static void swap_neighbours(ifn_dtype dtype, void *row, int64_t k)
{
    ifn_block_q6_k *block = row;
    for (int64_t b = 0; dtype == IFN_DTYPE_Q6_K && b < k / 256; b++)
        for (int i = 0; i < 16; i += 2) {
            const int8_t scale = block[b].scales[i];
            block[b].scales[i] = block[b].scales[i + 1];
            block[b].scales[i + 1] = scale;
        }
}

ifn_status museum_neighbour_scale(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_weights(self->base, a, swap_neighbours);
}
