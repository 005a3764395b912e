/*
 * Decodes rows to f32, bit for bit as numerics 8.1 says: products of scales and codes are exact and a
 * minimum rounds once, so vectors give the same bits. The formats below are decoded VL elements at a
 * time, the others by the reference.
 */
#ifndef IFN_DEQUANTIZE_ROW_H
#define IFN_DEQUANTIZE_ROW_H

#include <inferno/quant.h>

#include "bytes.h"
#include "f16.h"
#include "kquant_scales.h"
#include "vec_vocabulary.h"

static inline float ifn_load_scale(const uint8_t *p)
{
    return ifn_f16_to_f32(ifn_load_u16le(p));
}

/* In every lane. */
static inline vf ifn_set_scale(const uint8_t *p)
{
    return vf_set_f16(ifn_load_u16le(p));
}

static inline void ifn_dequantize_f16(const uint8_t *x, float *out, int64_t n)
{
    int64_t i = 0;
    for (; i + VL <= n; i += VL) {
        uint16_t half[VL];
        memcpy(half, x + 2 * i, sizeof half);
        vf_store(out + i, vf_load_f16(half));
    }
    for (; i < n; i++)
        out[i] = ifn_load_scale(x + 2 * i);
}

static inline void ifn_dequantize_bf16(const uint8_t *x, float *out, int64_t n)
{
    int64_t i = 0;
    for (; i + VL <= n; i += VL) {
        uint16_t half[VL];
        memcpy(half, x + 2 * i, sizeof half);
        vf_store(out + i, vf_load_bf16(half));
    }
    for (; i < n; i++)
        out[i] = ifn_bf16_to_f32(ifn_load_u16le(x + 2 * i));
}

static inline void ifn_dequantize_q8_0(const uint8_t *x, float *out, int64_t n)
{
    for (int64_t i = 0; i < n; i += 32, x += sizeof(ifn_block_q8_0)) {
        const vf d = ifn_set_scale(x + offsetof(ifn_block_q8_0, d));
        const int8_t *const qs = (const int8_t *)x + offsetof(ifn_block_q8_0, qs);
        for (int j = 0; j < 32; j += VL)
            vf_store(out + i + j, vf_mul(d, vi_convert(vi_load_i8(qs + j))));
    }
}

static inline void ifn_dequantize_q4_0(const uint8_t *x, float *out, int64_t n)
{
    const vi low = vi_set(15), offset = vi_set(8);
    for (int64_t i = 0; i < n; i += 32, x += sizeof(ifn_block_q4_0)) {
        const vf d = ifn_set_scale(x + offsetof(ifn_block_q4_0, d));
        const uint8_t *const qs = x + offsetof(ifn_block_q4_0, qs);
        for (int j = 0; j < 16; j += VL) {
            const vi q = vi_load_u8(qs + j);
            vf_store(out + i + j, vf_mul(d, vi_convert(vi_sub(vi_and(q, low), offset))));
            vf_store(out + i + 16 + j, vf_mul(d, vi_convert(vi_sub(vi_shr(q, 4), offset))));
        }
    }
}

static inline void ifn_dequantize_q4_k(const uint8_t *x, float *out, int64_t n)
{
    for (int64_t i = 0; i < n; i += 256, x += sizeof(ifn_block_q4_k)) {
        const float d = ifn_load_scale(x + offsetof(ifn_block_q4_k, d));
        const float dmin = ifn_load_scale(x + offsetof(ifn_block_q4_k, dmin));
        const uint8_t *const qs = x + offsetof(ifn_block_q4_k, qs);
        uint8_t scale[8], min[8];
        ifn_unpack_scales(x + offsetof(ifn_block_q4_k, scales), scale, min);
        for (int g = 0; g < 8; g++) {
            const vf s = vf_set(d * (float)scale[g]), m = vf_set(dmin * (float)min[g]);
            for (int j = 0; j < 32; j += VL) {
                const vi both = vi_load_u8(qs + 32 * (g / 2) + j);
                const vi q = g % 2 ? vi_shr(both, 4) : vi_and(both, vi_set(15));
                vf_store(out + i + 32 * g + j, vf_sub(vf_mul(s, vi_convert(q)), m));
            }
        }
    }
}

/* src/quant/q6_k.c describes halves, quarters and the layout of their bits. */
static inline void ifn_dequantize_q6_k_quarter(const uint8_t *low, const uint8_t *high, int quarter,
                                               const vf scale[2], float *out)
{
    for (int j = 0; j < 32; j += VL) {
        const vi lows = vi_load_u8(low + 32 * (quarter % 2) + j), highs = vi_load_u8(high + j);
        const vi q4 = quarter < 2 ? vi_and(lows, vi_set(15)) : vi_shr(lows, 4);
        const vi both = vi_shr(highs, 2 * quarter);
        const vi q = vi_or(q4, vi_shl(vi_and(both, vi_set(3)), 4));
        vf_store(out + j, vf_mul(scale[j / 16], vi_convert(vi_sub(q, vi_set(32)))));
    }
}

static inline void ifn_dequantize_q6_k(const uint8_t *x, float *out, int64_t n)
{
    for (int64_t i = 0; i < n; i += 256, x += sizeof(ifn_block_q6_k)) {
        const float d = ifn_load_scale(x + offsetof(ifn_block_q6_k, d));
        const int8_t *const scales = (const int8_t *)x + offsetof(ifn_block_q6_k, scales);
        for (int b = 0; b < 8; b++) {
            const vf scale[2] = {vf_set(d * (float)scales[2 * b]),
                                 vf_set(d * (float)scales[2 * b + 1])};
            ifn_dequantize_q6_k_quarter(x + 64 * (b / 4), x + 128 + 32 * (b / 4), b % 4, scale,
                                        out + i + 32 * b);
        }
    }
}

/* Decodes n elements, whole blocks of dtype; x may have any alignment. */
static inline ifn_status ifn_dequantize_row_simd(ifn_dtype dtype, const uint8_t *x, float *out,
                                                 int64_t n)
{
    switch (dtype) {
    case IFN_DTYPE_F32:
        memcpy(out, x, (size_t)n * sizeof *out);
        return IFN_OK;
    case IFN_DTYPE_F16:
        ifn_dequantize_f16(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_BF16:
        ifn_dequantize_bf16(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_Q8_0:
        ifn_dequantize_q8_0(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_Q4_0:
        ifn_dequantize_q4_0(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_Q4_K:
        ifn_dequantize_q4_k(x, out, n);
        return IFN_OK;
    case IFN_DTYPE_Q6_K:
        ifn_dequantize_q6_k(x, out, n);
        return IFN_OK;
    default:
        return ifn_dequantize_row(dtype, x, out, n);
    }
}

#endif
