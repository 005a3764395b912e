/*
 * Q4_K: 256 weights in 8 groups of 32; codes 0..15; each group has a 6-bit scale and a 6-bit
 * minimum, in units of two f16 that the block shares; 4.5 bits per weight.
 *
 *   byte   0    2      4                16                                      144
 *          +----+------+----------------+---------------------------------------+
 *          | d  | dmin | 8 scales, mins | codes                                 |
 *          +----+------+----------------+---------------------------------------+
 *                        kquant_scales.h
 *
 *   code byte 32p + l, p = 0..3, l = 0..31: weight 64p + l low, weight 64p + 32 + l high
 *
 *   w[i] = d * scale[i/32] * q[i] - dmin * min[i/32]    products exact, the difference rounds once
 */
#include "kquant_scales.h"
#include "quant_priv.h"
#include "search.h"

static void decode_block(const ifn_block_q4_k *block, float *out)
{
    const float d = ifn_load_f16(&block->d), dmin = ifn_load_f16(&block->dmin);
    uint8_t scale[8], min[8];
    ifn_unpack_scales(block->scales, scale, min);
    for (int g = 0; g < 8; g++, out += 32) {
        const uint8_t *const qs = block->qs + 32 * (g / 2);
        const float step = d * (float)scale[g], lowest = dmin * (float)min[g];
        for (int i = 0; i < 32; i++)
            out[i] = step * (float)(qs[i] >> 4 * (g % 2) & 15) - lowest;
    }
}

static const ifn_affine_shape shape = {.group = 32, .codes = 15, .scales = 63};

static void encode_block(const ifn_affine_fit *fit, ifn_block_q4_k *out)
{
    *out = (ifn_block_q4_k){0};
    ifn_store_u16le(&out->d, fit->d);
    if (fit->d == IFN_F16_NAN)
        return;
    ifn_store_u16le(&out->dmin, fit->dmin);
    ifn_pack_scales(fit->scale, fit->min, out->scales);
    for (int i = 0; i < 256; i++) {
        const int g = i / 32;
        out->qs[32 * (g / 2) + i % 32] |= (uint8_t)(fit->code[i] << 4 * (g % 2));
    }
}

IFN_DEFINE_DECODED_ROWS(Q4_K, ifn_block_q4_k, 256)
IFN_DEFINE_SEARCHED_ROWS(Q4_K, ifn_block_q4_k, affine)
