/*
 * vec_vocabulary.h on WebAssembly's 128-bit vectors. vf_max and vf_min choose like the x86 instructions, so that
 * special values go the same way on every processor.
 */
#ifndef IFN_VEC_H
#define IFN_VEC_H

#include <stdint.h>
#include <string.h>
#include <wasm_simd128.h>

#include "vec_forms.h"

enum { VL = 4, VEC_HAS_FMA = 0, VEC_REGISTERS = 16 };

typedef v128_t vf;
typedef v128_t vi;
typedef v128_t vm; /* all bits of a lane, or none */

static inline vm vm_first(int n)
{
    return wasm_i32x4_gt(wasm_i32x4_splat(n), wasm_i32x4_const(0, 1, 2, 3));
}

static inline vf vf_zero(void)
{
    return wasm_f32x4_const_splat(0.0f);
}

VEC_1(vf, vf_set, float, wasm_f32x4_splat)
VEC_1(vf, vf_load, const float *, wasm_v128_load)

static inline vf vf_load_n(const float *p, int n)
{
    float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (n > 0)
        memcpy(lanes, p, (size_t)n * sizeof *p);
    return wasm_v128_load(lanes);
}

static inline void vf_store(float *p, vf x)
{
    wasm_v128_store(p, x);
}

static inline void vf_store_n(float *p, vf x, int n)
{
    float lanes[4];
    wasm_v128_store(lanes, x);
    if (n > 0)
        memcpy(p, lanes, (size_t)n * sizeof *p);
}

VEC_2(vf, vf_add, vf, wasm_f32x4_add)
VEC_2(vf, vf_sub, vf, wasm_f32x4_sub)
VEC_2(vf, vf_mul, vf, wasm_f32x4_mul)
VEC_2(vf, vf_div, vf, wasm_f32x4_div)
VEC_1(vf, vf_sqrt, vf, wasm_f32x4_sqrt)

static inline vf vf_fma(vf a, vf b, vf c)
{
    return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
}

static inline vf vf_max(vf a, vf b)
{
    return wasm_f32x4_pmax(b, a);
}

static inline vf vf_min(vf a, vf b)
{
    return wasm_f32x4_pmin(b, a);
}

static inline vi vf_bits(vf a)
{
    return a;
}

static inline vf vi_floats(vi a)
{
    return a;
}

static inline vi vf_rint(vf a)
{
    return wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(a));
}

VEC_1(vf, vf_trunc, vf, wasm_f32x4_trunc)
VEC_1(vf, vi_convert, vi, wasm_f32x4_convert_i32x4)
VEC_1(vi, vi_set, int32_t, wasm_i32x4_splat)
VEC_1(vi, vi_load, const int32_t *, wasm_v128_load)

static inline void vi_store(int32_t *p, vi x)
{
    wasm_v128_store(p, x);
}

VEC_2(vi, vi_add, vi, wasm_i32x4_add)
VEC_2(vi, vi_sub, vi, wasm_i32x4_sub)
VEC_2(vi, vi_and, vi, wasm_v128_and)
VEC_2(vi, vi_or, vi, wasm_v128_or)

#define vi_shl(a, count) wasm_i32x4_shl(a, count)
#define vi_shr(a, count) wasm_u32x4_shr(a, count)
#define vi_sar(a, count) wasm_i32x4_shr(a, count)

VEC_2(vm, vf_less, vf, wasm_f32x4_lt)
VEC_2(vm, vf_equal, vf, wasm_f32x4_eq)

static inline int vm_any(vm m)
{
    return wasm_v128_any_true(m);
}

static inline vm vf_is_nan(vf a)
{
    return wasm_f32x4_ne(a, a);
}

static inline vf vf_select(vm m, vf a, vf b)
{
    return wasm_v128_bitselect(a, b, m);
}

static inline vf vf_load_f16(const uint16_t *p)
{
    const v128_t half = wasm_u32x4_load16x4(p);
    const v128_t size = wasm_v128_and(half, wasm_i32x4_const_splat(0x7fff));
    const v128_t bits = wasm_i32x4_shl(size, 13);
    /* Infinity and NaN, the latter made quiet; and what is below 2^-14, whole numbers of 2^-24. */
    const v128_t is_nan = wasm_i32x4_gt(size, wasm_i32x4_const_splat(0x7c00));
    const v128_t special = wasm_v128_or(wasm_v128_or(bits, wasm_i32x4_const_splat(0x7f800000)),
                                        wasm_v128_and(is_nan, wasm_i32x4_const_splat(0x400000)));
    const v128_t normal = wasm_i32x4_add(bits, wasm_i32x4_const_splat(112 << 23));
    const vf tiny =
        wasm_f32x4_mul(wasm_f32x4_convert_i32x4(size), wasm_f32x4_const_splat(0x1p-24f));
    const vm is_special = wasm_i32x4_gt(size, wasm_i32x4_const_splat(0x7bff));
    const vm is_tiny = wasm_i32x4_lt(size, wasm_i32x4_const_splat(0x0400));
    const vf x = vf_select(is_tiny, tiny, vf_select(is_special, special, normal));
    const v128_t sign = wasm_i32x4_shl(wasm_v128_and(half, wasm_i32x4_const_splat(0x8000)), 16);
    return wasm_v128_or(x, sign);
}

static inline vf vf_set_f16(uint16_t half)
{
    const uint16_t lanes[VL] = {half, half, half, half};
    return vf_load_f16(lanes);
}

static inline vf vf_load_f16_n(const uint16_t *p, int n)
{
    uint16_t lanes[4] = {0};
    if (n > 0)
        memcpy(lanes, p, (size_t)n * sizeof *p);
    return vf_load_f16(lanes);
}

/* Like ifn_f32_to_f16; computes every case in every lane, and selects. */
static inline void vf_store_f16_n(uint16_t *p, vf x, int n)
{
    const v128_t size = wasm_v128_and(x, wasm_i32x4_const_splat(0x7fffffff));
    const v128_t odd = wasm_v128_and(wasm_u32x4_shr(size, 13), wasm_i32x4_const_splat(1));
    const v128_t rounded =
        wasm_i32x4_add(wasm_i32x4_add(size, wasm_i32x4_const_splat(0xfff - (112 << 23))), odd);
    const v128_t normal = wasm_u32x4_shr(rounded, 13);
    /* Below 2^-14: a multiple of 2^-24, the unit of f32 just above 0.5. */
    const vf sum = wasm_f32x4_add(size, wasm_f32x4_const_splat(0.5f));
    const v128_t tiny = wasm_i32x4_sub(sum, wasm_i32x4_const_splat(0x3f000000));
    const v128_t payload = wasm_v128_and(wasm_u32x4_shr(size, 13), wasm_i32x4_const_splat(0x3ff));
    const v128_t nan = wasm_v128_or(payload, wasm_i32x4_const_splat(0x7e00));
    const vm is_tiny = wasm_i32x4_lt(size, wasm_i32x4_const_splat(0x38800000));
    const vm is_inf = wasm_i32x4_gt(size, wasm_i32x4_const_splat(0x477fefff));
    const vm is_nan = wasm_i32x4_gt(size, wasm_i32x4_const_splat(0x7f800000));
    vf half = vf_select(is_tiny, tiny, normal);
    half = vf_select(is_inf, wasm_i32x4_const_splat(0x7c00), half);
    half = vf_select(is_nan, nan, half);
    const v128_t sign = wasm_v128_and(wasm_u32x4_shr(x, 16), wasm_i32x4_const_splat(0x8000));
    const v128_t all = wasm_v128_or(half, sign);
    const v128_t four = wasm_u16x8_narrow_i32x4(all, all);
    if (n == VL)
        wasm_v128_store64_lane(p, four, 0);
    else if (n > 0)
        memcpy(p, &four, (size_t)n * sizeof *p);
}

static inline vf vf_load_bf16(const uint16_t *p)
{
    return wasm_i32x4_shl(wasm_u32x4_load16x4(p), 16);
}

static inline float vf_sum(vf a)
{
    const vf two = wasm_f32x4_add(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_f32x4_extract_lane(two, 0) + wasm_f32x4_extract_lane(two, 1);
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
    return wasm_f32x4_extract_lane(a, 0);
}

static inline float vf_max_lanes(vf a)
{
    const vf two = vf_max(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return vf_first(vf_max(two, wasm_i32x4_shuffle(two, two, 1, 0, 3, 2)));
}

static inline void vec_leave(void) {}

#endif
