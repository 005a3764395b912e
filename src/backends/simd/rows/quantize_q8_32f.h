/*
 * Encodes rows to Q8_32F, bit for bit as numerics 8.3 says. Per block of 32: the largest magnitude,
 * compared as an integer, two divisions, and for each element one product and one conversion, ties to
 * even. Reads 128 bytes, writes 40.
 */
#ifndef IFN_QUANTIZE_Q8_32F_H
#define IFN_QUANTIZE_Q8_32F_H

#include <inferno/dtype.h>

#include "f16.h"
#include "vec_vocabulary.h"

/* The bits of the largest magnitude of 32 floats; as integers, those of a NaN are larger than all others. */
static inline uint32_t ifn_largest_bits(const float *x)
{
    const vi magnitude = vi_set(0x7fffffff);
    vi largest = vi_set(0);
    for (int j = 0; j < 32; j += VL)
        largest = vi_max(largest, vi_and(vf_bits(vf_load(x + j)), magnitude));
    return (uint32_t)vi_max_lanes(largest);
}

static inline void ifn_quantize_block_q8_32f(const float *x, ifn_block_q8_32f *out)
{
    const uint32_t bits = ifn_largest_bits(x);
    const float amax = ifn_f32_from_bits(bits);
    if (bits >= 0x7f800000u || amax < 0x1p-118f) {
        *out = (ifn_block_q8_32f){.d = ifn_f32_from_bits(bits >= 0x7f800000u ? 0x7fc00000u : 0)};
        return;
    }
    const vf id = vf_set(127.0f / amax);
    vi sum = vi_set(0);
    out->d = amax / 127.0f;
    for (int j = 0; j < 32; j += VL) {
        const vi codes = vf_rint(vf_mul(vf_load(x + j), id));
        vi_store_i8(out->qs + j, codes);
        sum = vi_add(sum, codes);
    }
    out->s = vi_sum_lanes(sum);
}

static inline void ifn_quantize_row_q8_32f(const float *x, ifn_block_q8_32f *out, int64_t n_blocks)
{
    for (int64_t i = 0; i < n_blocks; i++)
        ifn_quantize_block_q8_32f(x + 32 * i, out + i);
}

#endif
