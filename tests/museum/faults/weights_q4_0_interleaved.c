/*
 * Reads the nibbles of a byte as weights 2i and 2i + 1. Some texts in circulation describe Q4_0 like this; no file is
 * like this.
 */
#include <string.h>

#include "museum_kit.h"

static void interleave(ifn_dtype dtype, void *row, int64_t k)
{
    ifn_block_q4_0 *block = row;
    if (dtype != IFN_DTYPE_Q4_0)
        return;
    for (int64_t b = 0; b < k / 32; b++) {
        uint8_t codes[32];
        for (int i = 0; i < 16; i++) {
            codes[2 * i] = block[b].qs[i] & 15;
            codes[2 * i + 1] = block[b].qs[i] >> 4;
        }
        for (int i = 0; i < 16; i++)
            block[b].qs[i] = (uint8_t)(codes[i] | codes[i + 16] << 4);
    }
}

ifn_status museum_weights_q4_0_interleaved(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_weights(self->base, a, interleave);
}
