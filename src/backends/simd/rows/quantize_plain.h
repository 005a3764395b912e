/* Encodes rows of f32 to F16 and Q8_0, the formats that need no search, bit for bit as numerics 8.2 says. */
#ifndef IFN_QUANTIZE_PLAIN_H
#define IFN_QUANTIZE_PLAIN_H

#include <stddef.h>
#include <string.h>

#include "bytes.h"
#include "quantize_q8_32f.h"

/* `out` may have any alignment. */
static inline void ifn_quantize_f16(const float *x, uint8_t *out, int64_t n)
{
    for (int64_t i = 0; i < n; i += VL) {
        const int some = n - i < VL ? (int)(n - i) : VL;
        uint16_t half[VL];
        vf_store_f16_n(half, vf_load_n(x + i, some), some);
        memcpy(out + 2 * i, half, (size_t)some * sizeof *half);
    }
}

/* Rounds to the nearest integer, ties away from zero, for |x| < 2^22: adds the largest float below 1/2
 * and truncates. */
static inline vi ifn_round_away(vf x)
{
    const vi sign = vi_and(vf_bits(x), vi_set(INT32_MIN));
    const vf half = vi_floats(vi_or(sign, vf_bits(vf_set(0x1.fffffep-2f))));
    return vf_rint(vf_trunc(vf_add(x, half)));
}

static inline void ifn_quantize_block_q8_0(const float *x, uint8_t *out)
{
    const float d = ifn_f32_from_bits(ifn_largest_bits(x)) / 127.0f;
    const uint16_t stored = ifn_f16_or_nan(d);
    int8_t *const qs = (int8_t *)out + offsetof(ifn_block_q8_0, qs);
    ifn_store_u16le(out + offsetof(ifn_block_q8_0, d), stored);
    if (!ifn_f16_is_usable(stored)) {
        memset(qs, 0, 32);
        return;
    }
    const vf id = vf_set(1.0f / d);
    for (int j = 0; j < 32; j += VL)
        vi_store_i8(qs + j, ifn_round_away(vf_mul(vf_load(x + j), id)));
}

/* n is a multiple of 32. */
static inline void ifn_quantize_q8_0(const float *x, uint8_t *out, int64_t n)
{
    for (int64_t i = 0; i < n; i += 32, out += sizeof(ifn_block_q8_0))
        ifn_quantize_block_q8_0(x + i, out);
}

#endif
