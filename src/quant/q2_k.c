/*
 * Q2_K: 256 weights in 16 groups of 16; codes 0..3; each group has a 4-bit scale and a 4-bit
 * minimum, in units of two f16 that the block shares; 2.625 bits per weight.
 *
 *   byte   0                16                             80   82      84
 *          +----------------+------------------------------+----+-------+
 *          | m|s of group g | codes                        | d  | dmin  |   scale low, minimum high
 *          +----------------+------------------------------+----+-------+
 *
 *   code byte 32h + l, h = 0..1, l = 0..31, holds the codes of four weights of half h:
 *
 *       bits  7 6 | 5 4 | 3 2 | 1 0
 *           l+96  | l+64| l+32|  l          + 128h
 *
 *   w[i] = d * scale[i/16] * q[i] - dmin * min[i/16]    products exact, the difference rounds once
 */
#include "quant_priv.h"
#include "search.h"

static void decode_block(const ifn_block_q2_k *block, float *out)
{
    const float d = ifn_load_f16(&block->d), dmin = ifn_load_f16(&block->dmin);
    for (int g = 0; g < 16; g++, out += 16) {
        const int half = g / 8, quarter = g % 8 / 2;
        const uint8_t *const qs = block->qs + 32 * half + 16 * (g % 2);
        const float scale = d * (float)(block->scales[g] & 15);
        const float min = dmin * (float)(block->scales[g] >> 4);
        for (int i = 0; i < 16; i++)
            out[i] = scale * (float)(qs[i] >> 2 * quarter & 3) - min;
    }
}

static const ifn_affine_shape shape = {.group = 16, .codes = 3, .scales = 15};

static void encode_block(const ifn_affine_fit *fit, ifn_block_q2_k *out)
{
    *out = (ifn_block_q2_k){0};
    ifn_store_u16le(&out->d, fit->d);
    if (fit->d == IFN_F16_NAN)
        return;
    ifn_store_u16le(&out->dmin, fit->dmin);
    for (int g = 0; g < 16; g++)
        out->scales[g] = (uint8_t)(fit->scale[g] | fit->min[g] << 4);
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, quarter = i % 128 / 32;
        out->qs[32 * half + i % 32] |= (uint8_t)(fit->code[i] << 2 * quarter);
    }
}

IFN_DEFINE_DECODED_ROWS(Q2_K, ifn_block_q2_k, 256)
IFN_DEFINE_SEARCHED_ROWS(Q2_K, ifn_block_q2_k, affine)
