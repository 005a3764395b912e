/*
 * vec_vocabulary.h, 512 bits wide.
 *
 * With VNNI, vpdpbusd needs unsigned weights, so a signed code is stored plus 128. Without VNNI pairs of
 * products are summed in 16 bits: 2 * 127 * 127 and 2 * 128 * 127 fit, unsigned 255 would not. So the
 * sign moves from the weight to the activation, where -128 does not occur.
 */
#ifndef IFN_DOT_H
#define IFN_DOT_H

#include "vec.h"

VEC_1(vi, vb_load, const uint8_t *, _mm512_loadu_si512)

static inline void vb_store(uint8_t *p, vi x)
{
    _mm512_storeu_si512(p, x);
}

static inline vi vb_load4(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm512_set1_epi32(four);
}

static inline vi vi_load_u8(const uint8_t *p)
{
    return _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}

static inline vi vi_load_i8(const int8_t *p)
{
    return _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
}

static inline void vi_store_i8(int8_t *p, vi x)
{
    _mm_storeu_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(x));
}

VEC_2(vi, vi_max, vi, _mm512_max_epi32)
VEC_1(int32_t, vi_max_lanes, vi, _mm512_reduce_max_epi32)
VEC_1(int32_t, vi_sum_lanes, vi, _mm512_reduce_add_epi32)

typedef vi vdot;

static inline vdot vdot_from(vi sum)
{
    return sum;
}

static inline vi vdot_sum(vdot dot)
{
    return dot;
}

#ifdef __AMX_INT8__
#define DOT_HAS_TILES
#endif

#ifdef __AVX512VNNI__

enum { DOT_WIDE_FLIP = 0x80, DOT_WIDE_OFFSET = 128 };

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return _mm512_dpbusd_epi32(dot, w, x);
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    return _mm512_dpbusd_epi32(dot, w, x);
}

#else

enum { DOT_WIDE_FLIP = 0, DOT_WIDE_OFFSET = 0 };

#define DOT_HAS_FEW

/* How many sums of two products of 127 and a code of so many bits fit into 16 bits. */
static inline int dot_few(int bits)
{
    return bits <= 4 ? 8 : bits == 5 ? 4 : bits == 6 ? 2 : 1;
}

static inline vi vdot_pairs(vi w, vi x)
{
    return _mm512_maddubs_epi16(w, x);
}

/* Forces one addition after the other: the compiler would else hold all terms in registers, to add them as a tree. */
static inline vi vdot_add_pairs(vi a, vi b)
{
    vi sum = _mm512_add_epi16(a, b);
    __asm__("" : "+v"(sum));
    return sum;
}

static inline vdot vdot_widen(vdot dot, vi pairs)
{
    vdot sum = _mm512_add_epi32(dot, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
    __asm__("" : "+v"(sum));
    return sum;
}

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return vdot_widen(dot, vdot_pairs(w, x));
}

#define DOT_HAS_SHORTS

static inline vi vshorts_even(vi bytes)
{
    return _mm512_srai_epi16(_mm512_slli_epi16(bytes, 8), 8);
}

static inline vi vshorts_odd(vi bytes)
{
    return _mm512_srai_epi16(bytes, 8);
}

static inline vdot vdot_shorts(vdot dot, vi w, vi x)
{
    vdot sum = _mm512_add_epi32(dot, _mm512_madd_epi16(w, x));
    __asm__("" : "+v"(sum));
    return sum;
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    const vi signed_x = _mm512_mask_sub_epi8(x, _mm512_movepi8_mask(w), _mm512_setzero_si512(), x);
    return vdot_narrow(dot, _mm512_abs_epi8(w), signed_x);
}

#endif

#endif
