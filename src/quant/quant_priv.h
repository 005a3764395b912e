/* The row functions that ifn_dequantize_row and ifn_quantize_row call, one pair per dtype, and their helpers. */
#ifndef IFN_QUANT_PRIV_H
#define IFN_QUANT_PRIV_H

#include <inferno/dtype.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "bytes.h"
#include "f16.h"

/*
 * One pair per dtype, named as GGUF spells it: ifn_dequantize_Q4_K, ifn_quantize_Q4_K, ...
 * A row is n_blocks blocks; the stored side may have any alignment, the two sides do not overlap.
 */
#define X(NAME, gguf_type, block, bytes)                                                           \
    void ifn_dequantize_##NAME(const void *x, float *out, int64_t n_blocks);                       \
    void ifn_quantize_##NAME(const float *x, void *out, int64_t n_blocks);
IFN_DTYPES(X)
#undef X

/* One per block format: as ifn_quantize_NAME but, where the format searches for its scales, it minimises the sum
 * of squared errors times their weights. */
#define X(NAME, name)                                                                              \
    void ifn_weighted_rows_##NAME(const float *x, const float *weights, void *out,                 \
                                  int64_t n_blocks);
IFN_BLOCK_DTYPES(X)
#undef X

/*
 * Defines ifn_dequantize_NAME from the file's decode_block. Blocks are copied because those of a
 * mapped file may have any alignment.
 */
#define IFN_DEFINE_DECODED_ROWS(NAME, block_type, n_elements)                                      \
    void ifn_dequantize_##NAME(const void *x, float *out, int64_t n_blocks)                        \
    {                                                                                              \
        for (int64_t i = 0; i < n_blocks; i++) {                                                   \
            block_type block;                                                                      \
            memcpy(&block, (const uint8_t *)x + (size_t)i * sizeof block, sizeof block);           \
            decode_block(&block, out + i * (n_elements));                                          \
        }                                                                                          \
    }

/* Defines the pair of a block format, from decode_block and encode_block. */
#define IFN_DEFINE_BLOCK_ROWS(NAME, block_type, n_elements)                                        \
    IFN_DEFINE_DECODED_ROWS(NAME, block_type, n_elements)                                          \
    void ifn_quantize_##NAME(const float *x, void *out, int64_t n_blocks)                          \
    {                                                                                              \
        for (int64_t i = 0; i < n_blocks; i++) {                                                   \
            block_type block;                                                                      \
            encode_block(x + i * (n_elements), &block);                                            \
            memcpy((uint8_t *)out + (size_t)i * sizeof block, &block, sizeof block);               \
        }                                                                                          \
    }

/* A block of weights that are all 1: multiplying by them is exact and changes nothing. */
extern const float ifn_no_weights[256];

static inline float ifn_load_f16(const uint16_t *half)
{
    return ifn_f16_to_f32(ifn_load_u16le(half));
}

/*
 * The f16 for the unit of sub-scales: the nearest finite one, but subnormals, which have few bits, are
 * rounded away from zero. Sub-scales can compensate a unit that is too large, but not one too small.
 */
static inline uint16_t ifn_f16_unit(float value)
{
    const uint16_t half = ifn_f32_to_f16(value);
    if ((half & 0x7fffu) >= 0x7c00u)
        return (uint16_t)((half & 0x8000u) | 0x7bffu);
    const int lost = fabsf(ifn_f16_to_f32(half)) < fabsf(value);
    return fabsf(value) < 0x1p-14f && lost ? (uint16_t)(half + 1) : half;
}

/*
 * The element of largest magnitude, the first of several. Compares the bits as integers, in which
 * a NaN is larger than everything: if any element is not finite, the result is not.
 */
static inline float ifn_largest(const float *x, int n)
{
    float largest = x[0];
    for (int i = 1; i < n; i++)
        if ((ifn_f32_bits(x[i]) & 0x7fffffffu) > (ifn_f32_bits(largest) & 0x7fffffffu))
            largest = x[i];
    return largest;
}

/* The integer in [low, high] nearest to v; half-way cases go to the larger. */
static inline int ifn_nearest_code(float v, int low, int high)
{
    const float from = (float)low, to = (float)high;
    const float above = v > from ? v : from;
    return (int)((above < to ? above : to) - from + 0.5f) + low;
}

#endif
