/*
 * Q8_0: 32 weights share one f16 scale; 8.5 bits per weight.
 *
 *   byte   0    2                                34
 *          +----+--------------------------------+
 *          | d  | q0 q1 q2 ...               q31 |     q: signed bytes, in order
 *          +----+--------------------------------+
 *
 *   w[i] = d * q[i]                                    exact in f32
 *
 * Encoding is pinned (numerics 8.2): d = amax/127, q = round(x * (1/d)), ties away from zero.
 */
#include "search_block.h"

static void decode_block(const ifn_block_q8_0 *block, float *out)
{
    const float d = ifn_load_f16(&block->d);
    for (int i = 0; i < 32; i++)
        out[i] = d * (float)block->qs[i];
}

static void encode_block(const float *x, ifn_block_q8_0 *out)
{
    const float d = fabsf(ifn_largest(x, 32)) / 127.0f;
    const uint16_t stored = ifn_f16_or_nan(d);
    *out = (ifn_block_q8_0){0};
    ifn_store_u16le(&out->d, stored);
    if (!ifn_f16_is_usable(stored))
        return;
    const float id = 1.0f / d;
    for (int i = 0; i < 32; i++)
        out->qs[i] = (int8_t)roundf(x[i] * id);
}

/* Ignores the weights: the element of largest magnitude alone gives the scale. */
static void encode_weighted(const float *x, const float *w, ifn_block_q8_0 *out)
{
    (void)w;
    encode_block(x, out);
}

IFN_DEFINE_WEIGHTED_ROWS(Q8_0, ifn_block_q8_0)
IFN_DEFINE_BLOCK_ROWS(Q8_0, ifn_block_q8_0, 32)
