/*
 * Q3_K: 256 weights in 16 groups of 16; codes 0..7 stand for -4..3; each group has a 6-bit scale,
 * 0..63 standing for -32..31, in units of one f16; 3.4375 bits per weight.
 *
 *   byte   0                32                        96              108   110
 *          +----------------+-------------------------+---------------+-----+
 *          | hmask          | low two bits of codes   | scales        |  d  |
 *          +----------------+-------------------------+---------------+-----+
 *
 *   low bits    byte 32h + l holds weights l, l+32, l+64, l+96 of half h, as in Q2_K
 *   hmask       bit k of byte l is the third bit of weight 32k + l, k = 0..7
 *   scales      kquant_scales.h
 *
 *   w[i] = d * scale[i/16] * (q[i] - 4)          exact in f32
 */
#include "kquant_scales.h"
#include "quant_priv.h"
#include "search.h"

static void decode_block(const ifn_block_q3_k *block, float *out)
{
    const float d = ifn_load_f16(&block->d);
    for (int g = 0; g < 16; g++, out += 16) {
        const int half = g / 8, quarter = g % 8 / 2, first = 16 * (g % 2);
        const uint8_t *const qs = block->qs + 32 * half + first;
        const uint8_t *const hmask = block->hmask + first;
        const float scale = d * (float)ifn_q3_k_scale(block->scales, g);
        for (int i = 0; i < 16; i++) {
            const int low = qs[i] >> 2 * quarter & 3, high = hmask[i] >> g / 2 & 1;
            out[i] = scale * (float)((low | high << 2) - 4);
        }
    }
}

static const ifn_symmetric_shape shape = {.codes = 4, .scales = 32};

static void encode_block(const ifn_symmetric_fit *fit, ifn_block_q3_k *out)
{
    *out = (ifn_block_q3_k){0};
    ifn_store_u16le(&out->d, fit->d);
    if (fit->d == IFN_F16_NAN)
        return;
    for (int g = 0; g < 16; g++)
        ifn_q3_k_put_scale(out->scales, g, fit->scale[g]);
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, quarter = i % 128 / 32;
        const unsigned q = (unsigned)(fit->code[i] + 4);
        out->qs[32 * half + i % 32] |= (uint8_t)((q & 3) << 2 * quarter);
        out->hmask[i % 32] |= (uint8_t)(q >> 2 << i / 32);
    }
}

IFN_DEFINE_DECODED_ROWS(Q3_K, ifn_block_q3_k, 256)
IFN_DEFINE_SEARCHED_ROWS(Q3_K, ifn_block_q3_k, symmetric)
