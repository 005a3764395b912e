#include "attention_cache.h"

#include <stdlib.h>
#include <string.h>

/* An integer of magnitude up to 127 in f16. It has fewer bits than f16, so the bits of f32 are just shifted. */
static uint16_t half_of(int value)
{
    const float magnitude = (float)abs(value);
    uint32_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    return value == 0 ? 0 : (uint16_t)((value < 0 ? 0x8000u : 0u) | ((bits >> 13) - (112u << 10)));
}

void conform_put_integer(ifn_dtype dtype, unsigned char *row, int64_t component, int value)
{
    const float f32 = (float)value;
    const uint16_t f16 = half_of(value);
    ifn_block_q8_0 *const block = (ifn_block_q8_0 *)(void *)row + component / 32;
    if (dtype == IFN_DTYPE_F32) {
        memcpy(row + 4 * component, &f32, sizeof f32);
    } else if (dtype == IFN_DTYPE_F16) {
        memcpy(row + 2 * component, &f16, sizeof f16);
    } else {
        block->d = half_of(1);
        block->qs[component % 32] = (int8_t)value;
    }
}
