/*
 * Q4_0: 32 weights share one f16 scale; codes 0..15 stand for -8..7; 4.5 bits per weight.
 *
 *   byte   0    2                                18
 *          +----+--------------------------------+
 *          | d  | 16|0  17|1  18|2  ...    31|15 |     byte i: weight i low, weight i+16 high
 *          +----+--------------------------------+
 *
 *   w[i] = d * (q[i] - 8)                              exact in f32
 *
 * Encoding is pinned (numerics 8.2). The scale is signed: the element of largest magnitude becomes
 * code 0, the end of the range that has one step more.
 */
#include "quant_priv.h"
#include "search_block.h"

static void decode_block(const ifn_block_q4_0 *block, float *out)
{
    const float d = ifn_load_f16(&block->d);
    for (int i = 0; i < 16; i++) {
        out[i] = d * (float)((block->qs[i] & 15) - 8);
        out[i + 16] = d * (float)((block->qs[i] >> 4) - 8);
    }
}

static unsigned nearest(float x, float id)
{
    const int q = (int)(x * id + 8.5f); /* below 0 only for a scale that was searched */
    return q < 0 ? 0 : (unsigned)(q < 15 ? q : 15);
}

static void encode_codes(const float *x, float id, ifn_block_q4_0 *out)
{
    for (int i = 0; i < 16; i++)
        out->qs[i] = (uint8_t)(nearest(x[i], id) | nearest(x[i + 16], id) << 4);
}

static void encode_block(const float *x, ifn_block_q4_0 *out)
{
    const float d = ifn_largest(x, 32) / -8.0f;
    uint16_t stored = ifn_f16_or_nan(d);
    *out = (ifn_block_q4_0){0};
    if (ifn_f16_is_usable(stored)) {
        encode_codes(x, 1.0f / d, out);
    } else if (stored != IFN_F16_NAN) {
        /* the scale is 0 in f16: every element gets code 8, which is zero, and d = -0, as the formula
         * gives for a block of zeros */
        encode_codes(x, 0.0f, out);
        stored = 0x8000;
    }
    ifn_store_u16le(&out->d, stored);
}

static void encode_weighted(const float *x, const float *w, ifn_block_q4_0 *out)
{
    const uint16_t d = ifn_search_scale(x, w, 8);
    encode_block(x, out);
    if (d == IFN_F16_NAN)
        return;
    encode_codes(x, 1.0f / ifn_f16_to_f32(d), out);
    ifn_store_u16le(&out->d, d);
}

IFN_DEFINE_WEIGHTED_ROWS(Q4_0, ifn_block_q4_0)
IFN_DEFINE_BLOCK_ROWS(Q4_0, ifn_block_q4_0, 32)
