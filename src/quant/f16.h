/*
 * f16 (IEEE binary16) and bf16 bit patterns, to and from f32. Widening is exact; narrowing rounds
 * once, to nearest, ties to even, overflowing to infinity. A NaN stays a NaN and becomes quiet.
 */
#ifndef IFN_F16_H
#define IFN_F16_H

#include <stdint.h>
#include <string.h>

#define IFN_F16_NAN 0x7e00u

static inline uint32_t ifn_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float ifn_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float ifn_f16_to_f32(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    const uint32_t is_small = 0u - (magnitude < 0x0400u), is_nan = 0u - (magnitude > 0x7c00u);
    const uint32_t is_large = 0u - (magnitude >= 0x7c00u); /* infinite or NaN */
    /* Subnormal or zero: a multiple of 2^-24. Masks select the result, so that loops have no branch. */
    const uint32_t small = ifn_f32_bits((float)(int32_t)magnitude * 0x1p-24f);
    const uint32_t normal = (magnitude << 13) + (112u << 23);
    const uint32_t other = (normal + (is_large & 112u << 23)) | (is_nan & 0x00400000u);
    return ifn_f32_from_bits(sign | (small & is_small) | (other & ~is_small));
}

static inline uint16_t ifn_f32_to_f16(float value)
{
    const uint32_t bits = ifn_f32_bits(value), magnitude = bits & 0x7fffffffu;
    const uint32_t sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7f800000u)
        return (uint16_t)(sign | IFN_F16_NAN | (magnitude >> 13 & 0x3ffu));
    if (magnitude >= 0x477ff000u) /* 65520 is halfway to the next power of two: infinity */
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) {
        /* Below 2^-14 the target is a multiple of 2^-24, the unit of f32 just above 0.5: the
         * addition does the rounding, and the sum's low bits are the subnormal. */
        const float sum = ifn_f32_from_bits(magnitude) + 0.5f;
        return (uint16_t)(sign | (ifn_f32_bits(sum) - ifn_f32_bits(0.5f)));
    }
    /* Adds half a unit less one, plus one if the kept part is odd: rounds to nearest, ties to even. */
    const uint32_t rounded = magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u);
    return (uint16_t)(sign | rounded >> 13);
}

/*
 * The f16 nearest to a scale or minimum; NaN if f16 cannot hold it, so that the block makes exactly
 * its own row of a product NaN (numerics 8.2).
 */
static inline uint16_t ifn_f16_or_nan(float value)
{
    const uint16_t half = ifn_f32_to_f16(value);
    return (half & 0x7c00u) == 0x7c00u ? IFN_F16_NAN : half;
}

/* True if an f16 scale is neither zero nor NaN, so that its block can hold numbers. */
static inline int ifn_f16_is_usable(uint16_t half)
{
    return (half & 0x7fffu) != 0 && half != IFN_F16_NAN;
}

static inline float ifn_bf16_to_f32(uint16_t half)
{
    return ifn_f32_from_bits((uint32_t)half << 16);
}

static inline uint16_t ifn_f32_to_bf16(float value)
{
    const uint32_t bits = ifn_f32_bits(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return (uint16_t)(bits >> 16 | 0x0040u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

#endif
