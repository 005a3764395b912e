/* vec_vocabulary.h, 256 bits wide. */
#ifndef IFN_DOT_H
#define IFN_DOT_H

#include "vec.h"

static inline vi vb_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void vb_store(uint8_t *p, vi x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, x);
}

static inline vi vb_load4(const int8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    return _mm256_set1_epi32(four);
}

static inline vi vi_load_u8(const uint8_t *p)
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

static inline vi vi_load_i8(const int8_t *p)
{
    return _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p));
}

static inline void vi_store_i8(int8_t *p, vi x)
{
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    _mm_storel_epi64((__m128i *)(void *)p, _mm_packs_epi16(words, words));
}

VEC_2(vi, vi_max, vi, _mm256_max_epi32)

static inline int32_t vi_max_lanes(vi a)
{
    const __m128i four = _mm_max_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    const __m128i two = _mm_max_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_max_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

static inline int32_t vi_sum_lanes(vi a)
{
    const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}

typedef vi vdot;

static inline vdot vdot_from(vi sum)
{
    return sum;
}

static inline vi vdot_sum(vdot dot)
{
    return dot;
}

#ifdef __AVXVNNI__

enum { DOT_WIDE_FLIP = 0x80, DOT_WIDE_OFFSET = 128 };

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return _mm256_dpbusd_avx_epi32(dot, w, x);
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    return _mm256_dpbusd_avx_epi32(dot, w, x);
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
    return _mm256_maddubs_epi16(w, x);
}

/* Forces one addition after the other: the compiler would else hold all terms in registers, to add them as a tree. */
static inline vi vdot_add_pairs(vi a, vi b)
{
    vi sum = _mm256_add_epi16(a, b);
    __asm__("" : "+x"(sum));
    return sum;
}

static inline vdot vdot_widen(vdot dot, vi pairs)
{
    vdot sum = _mm256_add_epi32(dot, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    __asm__("" : "+x"(sum));
    return sum;
}

static inline vdot vdot_narrow(vdot dot, vi w, vi x)
{
    return vdot_widen(dot, vdot_pairs(w, x));
}

#define DOT_HAS_SHORTS

static inline vi vshorts_even(vi bytes)
{
    return _mm256_srai_epi16(_mm256_slli_epi16(bytes, 8), 8);
}

static inline vi vshorts_odd(vi bytes)
{
    return _mm256_srai_epi16(bytes, 8);
}

static inline vdot vdot_shorts(vdot dot, vi w, vi x)
{
    vdot sum = _mm256_add_epi32(dot, _mm256_madd_epi16(w, x));
    __asm__("" : "+x"(sum));
    return sum;
}

static inline vdot vdot_wide(vdot dot, vi w, vi x)
{
    return vdot_narrow(dot, _mm256_abs_epi8(w), _mm256_sign_epi8(x, w));
}

#endif

#endif
