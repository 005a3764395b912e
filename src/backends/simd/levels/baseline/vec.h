/* vec_vocabulary.h on SSE2, 128 bits wide. */
#ifndef IFN_VEC_H
#define IFN_VEC_H

#include <emmintrin.h>
#include <stdint.h>
#include <string.h>

#include "vec_forms.h"

enum { VL = 4, VEC_HAS_FMA = 0, VEC_REGISTERS = 16 };

typedef __m128 vf;
typedef __m128i vi;
typedef __m128 vm; /* all bits of a lane, or none */

static inline vm vm_first(int n)
{
    return _mm_castsi128_ps(_mm_cmpgt_epi32(_mm_set1_epi32(n), _mm_setr_epi32(0, 1, 2, 3)));
}

static inline vf vf_zero(void)
{
    return _mm_setzero_ps();
}

VEC_1(vf, vf_set, float, _mm_set1_ps)
VEC_1(vf, vf_load, const float *, _mm_loadu_ps)

static inline vf vf_load_n(const float *p, int n)
{
    float lanes[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    if (n > 0)
        memcpy(lanes, p, (size_t)n * sizeof *p);
    return _mm_loadu_ps(lanes);
}

static inline void vf_store(float *p, vf x)
{
    _mm_storeu_ps(p, x);
}

static inline void vf_store_n(float *p, vf x, int n)
{
    float lanes[4];
    _mm_storeu_ps(lanes, x);
    if (n > 0)
        memcpy(p, lanes, (size_t)n * sizeof *p);
}

VEC_2(vf, vf_add, vf, _mm_add_ps)
VEC_2(vf, vf_sub, vf, _mm_sub_ps)
VEC_2(vf, vf_mul, vf, _mm_mul_ps)
VEC_2(vf, vf_div, vf, _mm_div_ps)
VEC_1(vf, vf_sqrt, vf, _mm_sqrt_ps)

static inline vf vf_fma(vf a, vf b, vf c)
{
    return _mm_add_ps(_mm_mul_ps(a, b), c);
}

VEC_2(vf, vf_max, vf, _mm_max_ps)
VEC_2(vf, vf_min, vf, _mm_min_ps)
VEC_1(vi, vf_bits, vf, _mm_castps_si128)
VEC_1(vf, vi_floats, vi, _mm_castsi128_ps)
VEC_1(vi, vf_rint, vf, _mm_cvtps_epi32)

static inline vf vf_trunc(vf a)
{
    return _mm_cvtepi32_ps(_mm_cvttps_epi32(a));
}

VEC_1(vf, vi_convert, vi, _mm_cvtepi32_ps)
VEC_1(vi, vi_set, int32_t, _mm_set1_epi32)

static inline vi vi_load(const int32_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline void vi_store(int32_t *p, vi x)
{
    _mm_storeu_si128((__m128i *)(void *)p, x);
}

VEC_2(vi, vi_add, vi, _mm_add_epi32)
VEC_2(vi, vi_sub, vi, _mm_sub_epi32)
VEC_2(vi, vi_and, vi, _mm_and_si128)
VEC_2(vi, vi_or, vi, _mm_or_si128)

#define vi_shl(a, count) _mm_slli_epi32(a, count)
#define vi_shr(a, count) _mm_srli_epi32(a, count)
#define vi_sar(a, count) _mm_srai_epi32(a, count)

VEC_2(vm, vf_less, vf, _mm_cmplt_ps)
VEC_2(vm, vf_equal, vf, _mm_cmpeq_ps)

static inline int vm_any(vm m)
{
    return _mm_movemask_ps(m) != 0;
}

static inline vm vf_is_nan(vf a)
{
    return _mm_cmpunord_ps(a, a);
}

static inline vf vf_select(vm m, vf a, vf b)
{
    return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}

static inline vf vf_load_f16(const uint16_t *p)
{
    const __m128i four = _mm_loadl_epi64((const __m128i *)(const void *)p);
    const __m128i half = _mm_unpacklo_epi16(four, _mm_setzero_si128());
    const __m128i size = _mm_and_si128(half, _mm_set1_epi32(0x7fff));
    const __m128i bits = _mm_slli_epi32(size, 13);
    /* Infinity and NaN, the latter made quiet; and what is below 2^-14, whole numbers of 2^-24. */
    const __m128i is_nan = _mm_cmpgt_epi32(size, _mm_set1_epi32(0x7c00));
    const __m128i special = _mm_or_si128(_mm_or_si128(bits, _mm_set1_epi32(0x7f800000)),
                                         _mm_and_si128(is_nan, _mm_set1_epi32(0x400000)));
    const __m128i normal = _mm_add_epi32(bits, _mm_set1_epi32(112 << 23));
    const vf tiny = _mm_mul_ps(_mm_cvtepi32_ps(size), _mm_set1_ps(0x1p-24f));
    const vm is_special = _mm_castsi128_ps(_mm_cmpgt_epi32(size, _mm_set1_epi32(0x7bff)));
    const vm is_tiny = _mm_castsi128_ps(_mm_cmplt_epi32(size, _mm_set1_epi32(0x0400)));
    const vf x = vf_select(
        is_tiny, tiny, vf_select(is_special, _mm_castsi128_ps(special), _mm_castsi128_ps(normal)));
    const __m128i sign = _mm_slli_epi32(_mm_and_si128(half, _mm_set1_epi32(0x8000)), 16);
    return _mm_or_ps(x, _mm_castsi128_ps(sign));
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
    const __m128i bits = _mm_castps_si128(x);
    const __m128i size = _mm_and_si128(bits, _mm_set1_epi32(0x7fffffff));
    const __m128i odd = _mm_and_si128(_mm_srli_epi32(size, 13), _mm_set1_epi32(1));
    const __m128i rounded =
        _mm_add_epi32(_mm_add_epi32(size, _mm_set1_epi32(0xfff - (112 << 23))), odd);
    const __m128i normal = _mm_srli_epi32(rounded, 13);
    /* Below 2^-14: a multiple of 2^-24, the unit of f32 just above 0.5. */
    const vf sum = _mm_add_ps(_mm_castsi128_ps(size), _mm_set1_ps(0.5f));
    const __m128i tiny = _mm_sub_epi32(_mm_castps_si128(sum), _mm_set1_epi32(0x3f000000));
    const __m128i payload = _mm_and_si128(_mm_srli_epi32(size, 13), _mm_set1_epi32(0x3ff));
    const __m128i nan = _mm_or_si128(payload, _mm_set1_epi32(0x7e00));
    const vm is_tiny = _mm_castsi128_ps(_mm_cmplt_epi32(size, _mm_set1_epi32(0x38800000)));
    const vm is_inf = _mm_castsi128_ps(_mm_cmpgt_epi32(size, _mm_set1_epi32(0x477fefff)));
    const vm is_nan = _mm_castsi128_ps(_mm_cmpgt_epi32(size, _mm_set1_epi32(0x7f800000)));
    vf half = vf_select(is_tiny, _mm_castsi128_ps(tiny), _mm_castsi128_ps(normal));
    half = vf_select(is_inf, _mm_castsi128_ps(_mm_set1_epi32(0x7c00)), half);
    half = vf_select(is_nan, _mm_castsi128_ps(nan), half);
    const __m128i sign = _mm_and_si128(_mm_srli_epi32(bits, 16), _mm_set1_epi32(0x8000));
    const __m128i all = _mm_or_si128(_mm_castps_si128(half), sign);
    /* The instruction saturates signed words: sign-extended values stay as they are. */
    const __m128i words = _mm_srai_epi32(_mm_slli_epi32(all, 16), 16);
    const __m128i four = _mm_packs_epi32(words, words);
    if (n == VL)
        _mm_storel_epi64((__m128i *)(void *)p, four);
    else if (n > 0)
        memcpy(p, &four, (size_t)n * sizeof *p);
}

static inline vf vf_load_bf16(const uint16_t *p)
{
    const __m128i half = _mm_loadl_epi64((const __m128i *)(const void *)p);
    return _mm_castsi128_ps(_mm_unpacklo_epi16(_mm_setzero_si128(), half));
}

static inline float vf_sum(vf a)
{
    const __m128 two = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline void vf_sum4(float *out, vf a, vf b, vf c, vf d)
{
    out[0] = vf_sum(a);
    out[1] = vf_sum(b);
    out[2] = vf_sum(c);
    out[3] = vf_sum(d);
}

VEC_1(float, vf_first, vf, _mm_cvtss_f32)

static inline float vf_max_lanes(vf a)
{
    const __m128 two = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline void vec_leave(void) {}

#endif
