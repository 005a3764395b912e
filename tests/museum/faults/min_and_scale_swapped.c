/* In Q4_K scales and minima are exchanged. */
#include <string.h>

#include "museum_kit.h"

static void swap(ifn_dtype dtype, void *row, int64_t k)
{
    ifn_block_q4_k *block = row;
    for (int64_t b = 0; dtype == IFN_DTYPE_Q4_K && b < k / 256; b++) {
        uint8_t *const s = block[b].scales;
        for (int i = 0; i < 4; i++) {
            const uint8_t scale = s[i];
            s[i] = s[i + 4];
            s[i + 4] = scale;
            s[i + 8] = (uint8_t)(s[i + 8] >> 4 | s[i + 8] << 4);
        }
    }
}

ifn_status museum_min_and_scale_swapped(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_weights(self->base, a, swap);
}
