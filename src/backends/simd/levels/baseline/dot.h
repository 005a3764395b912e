/*
 * vec_vocabulary.h on SSE2. Codes are widened to 16 bits; pmaddwd leaves two sums for each lane,
 * which vdot_sum adds.
 */
#ifndef IFN_DOT_H
#define IFN_DOT_H

#include "vec.h"

static inline vi vb_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void vb_store(uint8_t *p, vi x)
{
    _mm_storeu_si128((__m128i *)(void *)p, x);
}

static inline vi vb_load4(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm_set1_epi32(four);
}

static inline vi vi_load_u8(const uint8_t *p)
{
    return _mm_setr_epi32(p[0], p[1], p[2], p[3]);
}

static inline vi vi_load_i8(const int8_t *p)
{
    return _mm_setr_epi32(p[0], p[1], p[2], p[3]);
}

static inline void vi_store_i8(int8_t *p, vi x)
{
    const vi words = _mm_packs_epi32(x, x);
    const int32_t four = _mm_cvtsi128_si32(_mm_packs_epi16(words, words));
    memcpy(p, &four, sizeof four);
}

static inline vi vi_max(vi a, vi b)
{
    const vi larger = _mm_cmpgt_epi32(a, b);
    return _mm_or_si128(_mm_and_si128(larger, a), _mm_andnot_si128(larger, b));
}

static inline int32_t vi_max_lanes(vi a)
{
    const vi two = vi_max(a, _mm_shuffle_epi32(a, 0x4e));
    return _mm_cvtsi128_si32(vi_max(two, _mm_shuffle_epi32(two, 0xb1)));
}

static inline int32_t vi_sum_lanes(vi a)
{
    const vi two = _mm_add_epi32(a, _mm_shuffle_epi32(a, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

typedef struct vdot {
    vi sum, low, high; /* low: pairs of lanes 0 and 1, high: of lanes 2 and 3 */
} vdot;

enum { DOT_WIDE_FLIP = 0, DOT_WIDE_OFFSET = 0 };

static inline vdot vdot_from(vi sum)
{
    return (vdot){sum, _mm_setzero_si128(), _mm_setzero_si128()};
}

static inline vi vdot_sum(vdot dot)
{
    const __m128 low = _mm_castsi128_ps(dot.low), high = _mm_castsi128_ps(dot.high);
    const vi even = _mm_castps_si128(_mm_shuffle_ps(low, high, 0x88));
    const vi odd = _mm_castps_si128(_mm_shuffle_ps(low, high, 0xdd));
    return _mm_add_epi32(dot.sum, _mm_add_epi32(even, odd));
}

/* w_high: the upper bytes of the codes when they are widened. */
static inline vdot words_dot(vdot dot, vi w, vi w_high, vi x)
{
    const vi words = _mm_unpacklo_epi8(x, _mm_cmpgt_epi8(_mm_setzero_si128(), x));
    dot.low = _mm_add_epi32(dot.low, _mm_madd_epi16(_mm_unpacklo_epi8(w, w_high), words));
    dot.high = _mm_add_epi32(dot.high, _mm_madd_epi16(_mm_unpackhi_epi8(w, w_high), words));
    return dot;
}

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return words_dot(dot, w, _mm_setzero_si128(), x);
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    return words_dot(dot, w, _mm_cmpgt_epi8(_mm_setzero_si128(), w), x);
}

#endif
