/*
 * vec_vocabulary.h on NEON. With the dot product extension one instruction adds four products to each
 * lane; without it products are computed in 16 bits, for two lanes at a time, and added in pairs:
 * 2 * 128 * 127 fits. With the i8mm extension one instruction multiplies eight codes of two rows by those
 * of two columns, and adds to four sums.
 */
#ifndef IFN_DOT_H
#define IFN_DOT_H

#include "vec.h"

static inline vi vb_load(const uint8_t *p)
{
    return vreinterpretq_s32_u8(vld1q_u8(p));
}

static inline void vb_store(uint8_t *p, vi x)
{
    vst1q_u8(p, vreinterpretq_u8_s32(x));
}

static inline vi vb_load4(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return vdupq_n_s32(four);
}

static inline vi vi_load_u8(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    const uint16x8_t words = vmovl_u8(vreinterpret_u8_s32(vdup_n_s32(four)));
    return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(words)));
}

static inline vi vi_load_i8(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(four)))));
}

static inline void vi_store_i8(int8_t *p, vi x)
{
    const int16x4_t words = vmovn_s32(x);
    const int8x8_t bytes = vmovn_s16(vcombine_s16(words, words));
    const int32_t four = vget_lane_s32(vreinterpret_s32_s8(bytes), 0);
    memcpy(p, &four, sizeof four);
}

VEC_2(vi, vi_max, vi, vmaxq_s32)
VEC_1(int32_t, vi_max_lanes, vi, vmaxvq_s32)
VEC_1(int32_t, vi_sum_lanes, vi, vaddvq_s32)

enum { DOT_WIDE_FLIP = 0, DOT_WIDE_OFFSET = 0 };

#ifdef __ARM_FEATURE_DOTPROD

typedef vi vdot;

static inline vdot vdot_from(vi sum)
{
    return sum;
}

static inline vi vdot_sum(vdot dot)
{
    return dot;
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    return vdotq_s32(dot, vreinterpretq_s8_s32(w), vreinterpretq_s8_s32(x));
}

#else

typedef struct vdot {
    vi sum, low, high; /* low: pairs of lanes 0 and 1, high: of lanes 2 and 3 */
} vdot;

static inline vdot vdot_from(vi sum)
{
    return (vdot){sum, vdupq_n_s32(0), vdupq_n_s32(0)};
}

static inline vi vdot_sum(vdot dot)
{
    return vaddq_s32(dot.sum, vpaddq_s32(dot.low, dot.high));
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    const int8x16_t codes = vreinterpretq_s8_s32(w), activations = vreinterpretq_s8_s32(x);
    dot.low = vpadalq_s16(dot.low, vmull_s8(vget_low_s8(codes), vget_low_s8(activations)));
    dot.high = vpadalq_s16(dot.high, vmull_high_s8(codes, activations));
    return dot;
}

#endif

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return vdot_wide(dot, w, x);
}

#ifdef __ARM_FEATURE_MATMUL_INT8

#define DOT_HAS_PAIRS

typedef struct vpair {
    vi low, high;
} vpair;

static inline vpair vpair_of(vi a, vi b)
{
    return (vpair){vzip1q_s32(a, b), vzip2q_s32(a, b)};
}

static inline vi vpair_first(vpair pair)
{
    return vuzp1q_s32(pair.low, pair.high);
}

static inline vi vpair_second(vpair pair)
{
    return vuzp2q_s32(pair.low, pair.high);
}

static inline vi vb_load8(const int8_t *p, const int8_t *q)
{
    return vreinterpretq_s32_s8(vcombine_s8(vld1_s8(p), vld1_s8(q)));
}

static inline vpair vpair_dot(vpair sums, vpair w, vi x)
{
    const int8x16_t columns = vreinterpretq_s8_s32(x);
    return (vpair){vmmlaq_s32(sums.low, vreinterpretq_s8_s32(w.low), columns),
                   vmmlaq_s32(sums.high, vreinterpretq_s8_s32(w.high), columns)};
}

#endif

#endif
