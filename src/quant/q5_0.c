/*
 * Q5_0: 32 weights share one f16 scale; codes 0..31 stand for -16..15; 5.5 bits per weight.
 *
 *   byte   0    2         6                                22
 *          +----+---------+--------------------------------+
 *          | d  |   qh    | 16|0  17|1  18|2  ...    31|15 |   low four bits, as in Q4_0
 *          +----+---------+--------------------------------+
 *                 bit i of qh, counted from byte 2: fifth bit of weight i
 *
 *   w[i] = d * (q[i] - 16)                                     exact in f32
 *
 * Encoding is pinned (numerics 8.2); the element of largest magnitude becomes code 0.
 */
#include "quant_priv.h"
#include "search_block.h"

static void decode_block(const ifn_block_q5_0 *block, float *out)
{
    const float d = ifn_load_f16(&block->d);
    const uint32_t high = ifn_load_u32le(block->qh);
    for (int i = 0; i < 16; i++) {
        const int q0 = (int)((block->qs[i] & 15u) | (high >> i & 1u) << 4);
        const int q1 = (int)((unsigned)block->qs[i] >> 4 | (high >> (i + 16) & 1u) << 4);
        out[i] = d * (float)(q0 - 16);
        out[i + 16] = d * (float)(q1 - 16);
    }
}

static uint32_t nearest(float x, float id)
{
    const int q = (int)(x * id + 16.5f); /* below 0 only for a scale that was searched */
    return q < 0 ? 0 : (uint32_t)(q < 31 ? q : 31);
}

static void encode_codes(const float *x, float id, ifn_block_q5_0 *out)
{
    uint32_t high = 0;
    for (int i = 0; i < 16; i++) {
        const uint32_t q0 = nearest(x[i], id), q1 = nearest(x[i + 16], id);
        out->qs[i] = (uint8_t)((q0 & 15) | (q1 & 15) << 4);
        high |= q0 >> 4 << i | q1 >> 4 << (i + 16);
    }
    ifn_store_u32le(out->qh, high);
}

static void encode_block(const float *x, ifn_block_q5_0 *out)
{
    const float d = ifn_largest(x, 32) / -16.0f;
    uint16_t stored = ifn_f16_or_nan(d);
    *out = (ifn_block_q5_0){0};
    if (ifn_f16_is_usable(stored)) {
        encode_codes(x, 1.0f / d, out);
    } else if (stored != IFN_F16_NAN) {
        /* the scale is 0 in f16: every element gets code 16, which is zero, and d = -0, as the formula
         * gives for a block of zeros */
        encode_codes(x, 0.0f, out);
        stored = 0x8000;
    }
    ifn_store_u16le(&out->d, stored);
}

static void encode_weighted(const float *x, const float *w, ifn_block_q5_0 *out)
{
    const uint16_t d = ifn_search_scale(x, w, 16);
    encode_block(x, out);
    if (d == IFN_F16_NAN)
        return;
    encode_codes(x, 1.0f / ifn_f16_to_f32(d), out);
    ifn_store_u16le(&out->d, d);
}

IFN_DEFINE_WEIGHTED_ROWS(Q5_0, ifn_block_q5_0)
IFN_DEFINE_BLOCK_ROWS(Q5_0, ifn_block_q5_0, 32)
