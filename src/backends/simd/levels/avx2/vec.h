/* vec_vocabulary.h, 256 bits wide. */
#ifndef IFN_VEC_H
#define IFN_VEC_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "vec_forms.h"

enum { VL = 8, VEC_HAS_FMA = 1, VEC_REGISTERS = 16 };

typedef __m256 vf;
typedef __m256i vi;
typedef __m256 vm; /* all bits of a lane, or none */

static inline vm vm_first(int n)
{
    const vi lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(n), lanes));
}

static inline vf vf_zero(void)
{
    return _mm256_setzero_ps();
}

VEC_1(vf, vf_set, float, _mm256_set1_ps)
VEC_1(vf, vf_load, const float *, _mm256_loadu_ps)

static inline vf vf_load_n(const float *p, int n)
{
    return _mm256_maskload_ps(p, _mm256_castps_si256(vm_first(n)));
}

static inline void vf_store(float *p, vf x)
{
    _mm256_storeu_ps(p, x);
}

static inline void vf_store_n(float *p, vf x, int n)
{
    _mm256_maskstore_ps(p, _mm256_castps_si256(vm_first(n)), x);
}

VEC_2(vf, vf_add, vf, _mm256_add_ps)
VEC_2(vf, vf_sub, vf, _mm256_sub_ps)
VEC_2(vf, vf_mul, vf, _mm256_mul_ps)
VEC_2(vf, vf_div, vf, _mm256_div_ps)
VEC_1(vf, vf_sqrt, vf, _mm256_sqrt_ps)

static inline vf vf_fma(vf a, vf b, vf c)
{
    return _mm256_fmadd_ps(a, b, c);
}

VEC_2(vf, vf_max, vf, _mm256_max_ps)
VEC_2(vf, vf_min, vf, _mm256_min_ps)
VEC_1(vi, vf_bits, vf, _mm256_castps_si256)
VEC_1(vf, vi_floats, vi, _mm256_castsi256_ps)
VEC_1(vi, vf_rint, vf, _mm256_cvtps_epi32)

static inline vf vf_trunc(vf a)
{
    return _mm256_round_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

VEC_1(vf, vi_convert, vi, _mm256_cvtepi32_ps)
VEC_1(vi, vi_set, int32_t, _mm256_set1_epi32)

static inline vi vi_load(const int32_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

static inline void vi_store(int32_t *p, vi x)
{
    _mm256_storeu_si256((__m256i *)(void *)p, x);
}

VEC_2(vi, vi_add, vi, _mm256_add_epi32)
VEC_2(vi, vi_sub, vi, _mm256_sub_epi32)
VEC_2(vi, vi_and, vi, _mm256_and_si256)
VEC_2(vi, vi_or, vi, _mm256_or_si256)

#define vi_shl(a, count) _mm256_slli_epi32(a, count)
#define vi_shr(a, count) _mm256_srli_epi32(a, count)
#define vi_sar(a, count) _mm256_srai_epi32(a, count)

static inline vm vf_less(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}

static inline vm vf_equal(vf a, vf b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}

static inline int vm_any(vm m)
{
    return _mm256_movemask_ps(m) != 0;
}

static inline vm vf_is_nan(vf a)
{
    return _mm256_cmp_ps(a, a, _CMP_UNORD_Q);
}

static inline vf vf_select(vm m, vf a, vf b)
{
    return _mm256_blendv_ps(b, a, m);
}

static inline vf vf_load_f16(const uint16_t *p)
{
    return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)p));
}

static inline vf vf_set_f16(uint16_t half)
{
    return _mm256_cvtph_ps(_mm_set1_epi16((short)half));
}

static inline vf vf_load_f16_n(const uint16_t *p, int n)
{
    uint16_t lanes[8] = {0};
    if (n > 0)
        memcpy(lanes, p, (size_t)n * sizeof *p);
    return vf_load_f16(lanes);
}

static inline void vf_store_f16_n(uint16_t *p, vf x, int n)
{
    const __m128i half = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    if (n == VL)
        _mm_storeu_si128((__m128i *)(void *)p, half);
    else if (n > 0)
        memcpy(p, &half, (size_t)n * sizeof *p);
}

static inline vf vf_load_bf16(const uint16_t *p)
{
    const __m128i half = _mm_loadu_si128((const __m128i *)(const void *)p);
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

static inline float vf_sum(vf a)
{
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline void vf_sum4(float *out, vf a, vf b, vf c, vf d)
{
    out[0] = vf_sum(a);
    out[1] = vf_sum(b);
    out[2] = vf_sum(c);
    out[3] = vf_sum(d);
}

VEC_1(float, vf_first, vf, _mm256_cvtss_f32)

static inline float vf_max_lanes(vf a)
{
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline void vec_leave(void)
{
    _mm256_zeroupper();
}

#endif
