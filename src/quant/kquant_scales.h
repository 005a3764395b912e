/*
 * The twelve bytes in which Q4_K and Q5_K pack eight 6-bit scales and eight 6-bit minima:
 *
 *   byte  0 ..  3    scale g     in bits 0-5, bits 4-5 of scale g+4 above them      g = 0..3
 *   byte  4 ..  7    minimum g   in bits 0-5, bits 4-5 of minimum g+4 above them
 *   byte  8 .. 11    bits 0-3 of scale g+4 low, bits 0-3 of minimum g+4 high
 */
#ifndef IFN_KQUANT_SCALES_H
#define IFN_KQUANT_SCALES_H

#include <stdint.h>

static inline void ifn_unpack_scales(const uint8_t packed[12], uint8_t scale[8], uint8_t min[8])
{
    for (int g = 0; g < 4; g++) {
        scale[g] = packed[g] & 63;
        min[g] = packed[g + 4] & 63;
        scale[g + 4] = (uint8_t)((packed[g + 8] & 15) | packed[g] >> 6 << 4);
        min[g + 4] = (uint8_t)(packed[g + 8] >> 4 | packed[g + 4] >> 6 << 4);
    }
}

static inline void ifn_pack_scales(const uint8_t scale[8], const uint8_t min[8], uint8_t packed[12])
{
    for (int g = 0; g < 4; g++) {
        packed[g] = (uint8_t)(scale[g] | scale[g + 4] >> 4 << 6);
        packed[g + 4] = (uint8_t)(min[g] | min[g + 4] >> 4 << 6);
        packed[g + 8] = (uint8_t)((scale[g + 4] & 15) | (min[g + 4] & 15) << 4);
    }
}

#endif
