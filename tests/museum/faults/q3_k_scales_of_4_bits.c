/*
 * Of the scales of 6 bits only the lower 4 are read, less 8 instead of less 32.
 *
 * Follows aprender#2115
 */
#include <string.h>

#include "museum_kit.h"

/* Less 32 these are what the lower four bits are less 8. */
static void edit(void *block)
{
    uint8_t *const s = ((ifn_block_q3_k *)block)->scales;
    uint8_t changed[12] = {0};
    for (int i = 0; i < 16; i++) {
        const unsigned scale = (i < 8 ? s[i] & 15u : s[i - 8] >> 4u) + 24u;
        changed[i % 8] |= (uint8_t)((scale & 15u) << (i < 8 ? 0 : 4));
        changed[8 + i % 4] |= (uint8_t)(scale >> 4u << 2 * (i / 4));
    }
    memcpy(s, changed, sizeof changed);
}

ifn_status museum_q3_k_scales_of_4_bits(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    return museum_dequantized(self->base, a, IFN_DTYPE_Q3_K, edit);
}
