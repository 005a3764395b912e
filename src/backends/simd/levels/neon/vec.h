/*
 * vec_vocabulary.h on NEON, 128 bits wide. vf_max and vf_min choose like the x86 instructions, so
 * that special values go the same way on every processor.
 */
#ifndef IFN_VEC_H
#define IFN_VEC_H

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#include "vec_forms.h"

enum { VL = 4, VEC_HAS_FMA = 1, VEC_REGISTERS = 32 };

typedef float32x4_t vf;
typedef int32x4_t vi;
typedef uint32x4_t vm; /* all bits of a lane, or none */

static inline vm vm_first(int n)
{
    static const int32_t lanes[4] = {0, 1, 2, 3};
    return vcgtq_s32(vdupq_n_s32(n), vld1q_s32(lanes));
}

static inline vf vf_zero(void)
{
    return vdupq_n_f32(0.0f);
}

VEC_1(vf, vf_set, float, vdupq_n_f32)
VEC_1(vf, vf_load, const float *, vld1q_f32)

static inline vf vf_load_n(const float *p, int n)
{
    float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (n > 0)
        memcpy(lanes, p, (size_t)n * sizeof *p);
    return vld1q_f32(lanes);
}

static inline void vf_store(float *p, vf x)
{
    vst1q_f32(p, x);
}

static inline void vf_store_n(float *p, vf x, int n)
{
    float lanes[4];
    vst1q_f32(lanes, x);
    if (n > 0)
        memcpy(p, lanes, (size_t)n * sizeof *p);
}

VEC_2(vf, vf_add, vf, vaddq_f32)
VEC_2(vf, vf_sub, vf, vsubq_f32)
VEC_2(vf, vf_mul, vf, vmulq_f32)
VEC_2(vf, vf_div, vf, vdivq_f32)
VEC_1(vf, vf_sqrt, vf, vsqrtq_f32)

static inline vf vf_fma(vf a, vf b, vf c)
{
    return vfmaq_f32(c, a, b);
}

static inline vf vf_max(vf a, vf b)
{
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}

static inline vf vf_min(vf a, vf b)
{
    return vbslq_f32(vcltq_f32(a, b), a, b);
}

VEC_1(vi, vf_bits, vf, vreinterpretq_s32_f32)
VEC_1(vf, vi_floats, vi, vreinterpretq_f32_s32)
VEC_1(vi, vf_rint, vf, vcvtnq_s32_f32)
VEC_1(vf, vf_trunc, vf, vrndq_f32)
VEC_1(vf, vi_convert, vi, vcvtq_f32_s32)
VEC_1(vi, vi_set, int32_t, vdupq_n_s32)
VEC_1(vi, vi_load, const int32_t *, vld1q_s32)

static inline void vi_store(int32_t *p, vi x)
{
    vst1q_s32(p, x);
}

VEC_2(vi, vi_add, vi, vaddq_s32)
VEC_2(vi, vi_sub, vi, vsubq_s32)
VEC_2(vi, vi_and, vi, vandq_s32)
VEC_2(vi, vi_or, vi, vorrq_s32)

/* Shift intrinsics need a literal count; clang insists on it even in inlined code. */
static inline vi vi_shl(vi a, unsigned count)
{
    return vreinterpretq_s32_u32(vreinterpretq_u32_s32(a) << vdupq_n_u32(count));
}

static inline vi vi_shr(vi a, unsigned count)
{
    return vreinterpretq_s32_u32(vreinterpretq_u32_s32(a) >> vdupq_n_u32(count));
}

static inline vi vi_sar(vi a, int count)
{
    return a >> vdupq_n_s32(count);
}

VEC_2(vm, vf_less, vf, vcltq_f32)
VEC_2(vm, vf_equal, vf, vceqq_f32)

static inline int vm_any(vm m)
{
    return vmaxvq_u32(m) != 0;
}

static inline vm vf_is_nan(vf a)
{
    return vmvnq_u32(vceqq_f32(a, a));
}

static inline vf vf_select(vm m, vf a, vf b)
{
    return vbslq_f32(m, a, b);
}

static inline vf vf_load_f16(const uint16_t *p)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}

static inline vf vf_set_f16(uint16_t half)
{
    return vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(half)));
}

static inline vf vf_load_f16_n(const uint16_t *p, int n)
{
    uint16_t lanes[4] = {0};
    if (n > 0)
        memcpy(lanes, p, (size_t)n * sizeof *p);
    return vf_load_f16(lanes);
}

static inline void vf_store_f16_n(uint16_t *p, vf x, int n)
{
    const uint16x4_t half = vreinterpret_u16_f16(vcvt_f16_f32(x));
    if (n > 0)
        memcpy(p, &half, (size_t)n * sizeof *p);
}

static inline vf vf_load_bf16(const uint16_t *p)
{
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16));
}

static inline float vf_sum(vf a)
{
    const float32x2_t two = vadd_f32(vget_low_f32(a), vget_high_f32(a));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}

static inline void vf_sum4(float *out, vf a, vf b, vf c, vf d)
{
    out[0] = vf_sum(a);
    out[1] = vf_sum(b);
    out[2] = vf_sum(c);
    out[3] = vf_sum(d);
}

static inline float vf_first(vf a)
{
    return vgetq_lane_f32(a, 0);
}

VEC_1(float, vf_max_lanes, vf, vmaxvq_f32)

static inline void vec_leave(void) {}

#endif
