/*
 * Q6_K: 256 weights in 16 groups of 16; codes 0..63 stand for -32..31; each group has a signed
 * 8-bit scale in units of one f16; 6.5625 bits per weight.
 *
 *   byte   0                          128             192              208   210
 *          +--------------------------+---------------+----------------+-----+
 *          | low four bits of codes   | qh            | scales (i8)    |  d  |
 *          +--------------------------+---------------+----------------+-----+
 *
 *   low bits    byte 64h + j, h = 0..1, j = 0..63: weight 128h + j low, weight 128h + 64 + j high
 *   qh          byte 32h + l, l = 0..31, holds the upper two bits of weights l, l+32, l+64, l+96 of
 *               half h, lowest first
 *
 *   w[i] = d * scale[i/16] * (q[i] - 32)                exact in f32
 */
#include "quant_priv.h"
#include "search.h"

static void decode_block(const ifn_block_q6_k *block, float *out)
{
    const float d = ifn_load_f16(&block->d);
    for (int g = 0; g < 16; g++, out += 16) {
        const int half = g / 8, quarter = g % 8 / 2;
        const uint8_t *const ql = block->ql + 64 * half + 16 * (g % 4);
        const uint8_t *const qh = block->qh + 32 * half + 16 * (g % 2);
        const float scale = d * (float)block->scales[g];
        for (int i = 0; i < 16; i++) {
            const int low = ql[i] >> 4 * (quarter / 2) & 15, high = qh[i] >> 2 * quarter & 3;
            out[i] = scale * (float)((low | high << 4) - 32);
        }
    }
}

static const ifn_symmetric_shape shape = {.codes = 32, .scales = 128};

static void encode_block(const ifn_symmetric_fit *fit, ifn_block_q6_k *out)
{
    *out = (ifn_block_q6_k){0};
    ifn_store_u16le(&out->d, fit->d);
    if (fit->d == IFN_F16_NAN)
        return;
    memcpy(out->scales, fit->scale, sizeof out->scales);
    for (int i = 0; i < 256; i++) {
        const int half = i / 128, quarter = i % 128 / 32;
        const unsigned q = (unsigned)(fit->code[i] + 32);
        out->ql[64 * half + i % 64] |= (uint8_t)((q & 15) << 4 * (quarter / 2));
        out->qh[32 * half + i % 32] |= (uint8_t)(q >> 4 << 2 * quarter);
    }
}

IFN_DEFINE_DECODED_ROWS(Q6_K, ifn_block_q6_k, 256)
IFN_DEFINE_SEARCHED_ROWS(Q6_K, ifn_block_q6_k, symmetric)
