/*
 * Q5_K: Q4_K with a fifth bit; codes 0..31; 5.5 bits per weight.
 *
 *   byte   0    2      4                16              48                      176
 *          +----+------+----------------+---------------+-----------------------+
 *          | d  | dmin | 8 scales, mins | qh            | low four bits         |
 *          +----+------+----------------+---------------+-----------------------+
 *                        kquant_scales.h
 *
 *   qh          bit g of byte l is the fifth bit of weight 32g + l
 *   low bits    byte 32p + l: weight 64p + l low, weight 64p + 32 + l high, as in Q4_K
 *
 *   w[i] = d * scale[i/32] * q[i] - dmin * min[i/32]    products exact, the difference rounds once
 */
#include "kquant_scales.h"
#include "quant_priv.h"
#include "search.h"

static void decode_block(const ifn_block_q5_k *block, float *out)
{
    const float d = ifn_load_f16(&block->d), dmin = ifn_load_f16(&block->dmin);
    uint8_t scale[8], min[8];
    ifn_unpack_scales(block->scales, scale, min);
    for (int g = 0; g < 8; g++, out += 32) {
        const uint8_t *const qs = block->qs + 32 * (g / 2);
        const float step = d * (float)scale[g], lowest = dmin * (float)min[g];
        for (int i = 0; i < 32; i++) {
            const int low = qs[i] >> 4 * (g % 2) & 15, high = block->qh[i] >> g & 1;
            out[i] = step * (float)(low | high << 4) - lowest;
        }
    }
}

static const ifn_affine_shape shape = {.group = 32, .codes = 31, .scales = 63};

static void encode_block(const ifn_affine_fit *fit, ifn_block_q5_k *out)
{
    *out = (ifn_block_q5_k){0};
    ifn_store_u16le(&out->d, fit->d);
    if (fit->d == IFN_F16_NAN)
        return;
    ifn_store_u16le(&out->dmin, fit->dmin);
    ifn_pack_scales(fit->scale, fit->min, out->scales);
    for (int i = 0; i < 256; i++) {
        const int g = i / 32;
        out->qs[32 * (g / 2) + i % 32] |= (uint8_t)((fit->code[i] & 15) << 4 * (g % 2));
        out->qh[i % 32] |= (uint8_t)(fit->code[i] >> 4 << g);
    }
}

IFN_DEFINE_DECODED_ROWS(Q5_K, ifn_block_q5_k, 256)
IFN_DEFINE_SEARCHED_ROWS(Q5_K, ifn_block_q5_k, affine)
