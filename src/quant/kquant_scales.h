/*
 * Scales of the K formats in twelve bytes. Q4_K and Q5_K pack eight of 6 bits and as many minima:
 *
 *   byte  0 ..  3    scale g     in bits 0-5, bits 4-5 of scale g+4 above them      g = 0..3
 *   byte  4 ..  7    minimum g   in bits 0-5, bits 4-5 of minimum g+4 above them
 *   byte  8 .. 11    bits 0-3 of scale g+4 low, bits 0-3 of minimum g+4 high
 *
 * Q3_K packs sixteen, each stored with 32 added:
 *
 *   byte  g          bits 0-3 of scale g low, of scale g+8 high                     g = 0..7
 *   byte  8 + j      bits 4-5 of scales j, j+4, j+8 and j+12, lowest first          j = 0..3
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

/* Scale g of a Q3_K block, -32 .. 31. */
static inline int ifn_q3_k_scale(const uint8_t packed[12], int g)
{
    const int low = packed[g % 8] >> (g < 8 ? 0 : 4) & 15;
    const int high = packed[8 + g % 4] >> 2 * (g / 4) & 3;
    return (low | high << 4) - 32;
}

/* Sets scale g; its bits in `packed` must be zero before. */
static inline void ifn_q3_k_put_scale(uint8_t packed[12], int g, int scale)
{
    const unsigned stored = (unsigned)(scale + 32);
    packed[g % 8] |= (uint8_t)((stored & 15) << (g < 8 ? 0 : 4));
    packed[8 + g % 4] |= (uint8_t)(stored >> 4 << 2 * (g / 4));
}

#endif
