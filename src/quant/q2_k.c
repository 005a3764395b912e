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
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, quarter = i % 128 / 32, scale = block->scales[i / 16];
        const int q = block->qs[32 * half + i % 32] >> 2 * quarter & 3;
        out[i] = d * (float)(scale & 15) * (float)q - dmin * (float)(scale >> 4);
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
