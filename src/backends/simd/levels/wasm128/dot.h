/*
 * vec_vocabulary.h on WebAssembly's 128-bit vectors. Codes are widened to 16 bits; a dot product of those leaves two
 * sums for each lane, which vdot_sum adds.
 */
#ifndef IFN_DOT_H
#define IFN_DOT_H

#include "vec.h"

VEC_1(vi, vb_load, const uint8_t *, wasm_v128_load)

static inline void vb_store(uint8_t *p, vi x)
{
    wasm_v128_store(p, x);
}

VEC_1(vi, vb_load4, const int8_t *, wasm_v128_load32_splat)

static inline vi vi_load_u8(const uint8_t *p)
{
    return wasm_i32x4_make(p[0], p[1], p[2], p[3]);
}

static inline vi vi_load_i8(const int8_t *p)
{
    return wasm_i32x4_make(p[0], p[1], p[2], p[3]);
}

static inline void vi_store_i8(int8_t *p, vi x)
{
    const vi words = wasm_i16x8_narrow_i32x4(x, x);
    wasm_v128_store32_lane(p, wasm_i8x16_narrow_i16x8(words, words), 0);
}

VEC_2(vi, vi_max, vi, wasm_i32x4_max)

static inline int32_t vi_max_lanes(vi a)
{
    const vi two = vi_max(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_i32x4_extract_lane(vi_max(two, wasm_i32x4_shuffle(two, two, 1, 0, 3, 2)), 0);
}

static inline int32_t vi_sum_lanes(vi a)
{
    const vi two = vi_add(a, wasm_i32x4_shuffle(a, a, 2, 3, 0, 1));
    return wasm_i32x4_extract_lane(vi_add(two, wasm_i32x4_shuffle(two, two, 1, 0, 3, 2)), 0);
}

typedef struct vdot {
    vi sum, low, high; /* low: pairs of lanes 0 and 1, high: of lanes 2 and 3 */
} vdot;

enum { DOT_WIDE_FLIP = 0, DOT_WIDE_OFFSET = 0 };

static inline vdot vdot_from(vi sum)
{
    return (vdot){sum, vi_set(0), vi_set(0)};
}

static inline vi vdot_sum(vdot dot)
{
    const vi even = wasm_i32x4_shuffle(dot.low, dot.high, 0, 2, 4, 6);
    const vi odd = wasm_i32x4_shuffle(dot.low, dot.high, 1, 3, 5, 7);
    return vi_add(dot.sum, vi_add(even, odd));
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    dot.low = vi_add(dot.low, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(w),
                                                   wasm_i16x8_extend_low_i8x16(x)));
    dot.high = vi_add(dot.high, wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(w),
                                                     wasm_i16x8_extend_high_i8x16(x)));
    return dot;
}

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return vdot_wide(dot, w, x);
}

#endif
