/*
 * Q4_1: 32 weights share an f16 scale and an f16 minimum; codes 0..15; 5 bits per weight.
 *
 *   byte   0    2    4                                20
 *          +----+----+--------------------------------+
 *          | d  | m  | 16|0  17|1  18|2  ...    31|15 |    byte i: weight i low, weight i+16 high
 *          +----+----+--------------------------------+
 *
 *   w[i] = d * q[i] + m                            the product is exact, the sum rounds once
 *
 * Encoding is pinned (numerics 8.2): the smallest element becomes code 0, the largest code 15.
 */
#include "minimum.h"
#include "search_block.h"

static void decode_block(const ifn_block_q4_1 *block, float *out)
{
    const float d = ifn_load_f16(&block->d), m = ifn_load_f16(&block->m);
    for (int i = 0; i < 16; i++) {
        out[i] = d * (float)(block->qs[i] & 15) + m;
        out[i + 16] = d * (float)(block->qs[i] >> 4) + m;
    }
}

static void encode_with(const float *x, ifn_minimum_scale scale, ifn_block_q4_1 *out)
{
    *out = (ifn_block_q4_1){0};
    ifn_store_u16le(&out->d, scale.d);
    ifn_store_u16le(&out->m, scale.m);
    if (!ifn_f16_is_usable(scale.d))
        return;
    for (int i = 0; i < 16; i++)
        out->qs[i] = (uint8_t)(ifn_minimum_code(x[i], &scale, 15) |
                               ifn_minimum_code(x[i + 16], &scale, 15) << 4);
}

static void encode_block(const float *x, ifn_block_q4_1 *out)
{
    encode_with(x, ifn_minimum_scale_of(x, 15.0f), out);
}

static void encode_weighted(const float *x, const float *w, ifn_block_q4_1 *out)
{
    encode_with(x, ifn_search_minimum(x, w, 15), out);
}

IFN_DEFINE_WEIGHTED_ROWS(Q4_1, ifn_block_q4_1)
IFN_DEFINE_BLOCK_ROWS(Q4_1, ifn_block_q4_1, 32)
