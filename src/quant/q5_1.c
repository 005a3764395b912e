/*
 * Q5_1: 32 weights share an f16 scale and an f16 minimum; codes 0..31; 6 bits per weight.
 *
 *   byte   0    2    4         8                                24
 *          +----+----+---------+--------------------------------+
 *          | d  | m  |   qh    | 16|0  17|1  18|2  ...    31|15 |   low four bits, as in Q4_1
 *          +----+----+---------+--------------------------------+
 *                      bit i of qh, counted from byte 4: fifth bit of weight i
 *
 *   w[i] = d * q[i] + m                            the product is exact, the sum rounds once
 *
 * Encoding is pinned (numerics 8.2): the smallest element becomes code 0, the largest code 31.
 */
#include "minimum.h"
#include "search_block.h"

static void decode_block(const ifn_block_q5_1 *block, float *out)
{
    const float d = ifn_load_f16(&block->d), m = ifn_load_f16(&block->m);
    const uint32_t high = ifn_load_u32le(block->qh);
    for (int i = 0; i < 16; i++) {
        const uint32_t q0 = (block->qs[i] & 15u) | (high >> i & 1u) << 4;
        const uint32_t q1 = (uint32_t)block->qs[i] >> 4 | (high >> (i + 16) & 1u) << 4;
        out[i] = d * (float)q0 + m;
        out[i + 16] = d * (float)q1 + m;
    }
}

static void encode_with(const float *x, ifn_minimum_scale scale, ifn_block_q5_1 *out)
{
    uint32_t high = 0;
    *out = (ifn_block_q5_1){0};
    ifn_store_u16le(&out->d, scale.d);
    ifn_store_u16le(&out->m, scale.m);
    if (!ifn_f16_is_usable(scale.d))
        return;
    for (int i = 0; i < 16; i++) {
        const uint32_t q0 = ifn_minimum_code(x[i], &scale, 31);
        const uint32_t q1 = ifn_minimum_code(x[i + 16], &scale, 31);
        out->qs[i] = (uint8_t)((q0 & 15) | (q1 & 15) << 4);
        high |= q0 >> 4 << i | q1 >> 4 << (i + 16);
    }
    ifn_store_u32le(out->qh, high);
}

static void encode_block(const float *x, ifn_block_q5_1 *out)
{
    encode_with(x, ifn_minimum_scale_of(x, 31.0f), out);
}

static void encode_weighted(const float *x, const float *w, ifn_block_q5_1 *out)
{
    encode_with(x, ifn_search_minimum(x, w, 31), out);
}

IFN_DEFINE_WEIGHTED_ROWS(Q5_1, ifn_block_q5_1)
IFN_DEFINE_BLOCK_ROWS(Q5_1, ifn_block_q5_1, 32)
