/* vec_vocabulary.h, 512 bits wide. */
#ifndef IFN_VEC_H
#define IFN_VEC_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "vec_forms.h"

enum { VL = 16, VEC_HAS_FMA = 1, VEC_REGISTERS = 32 };

typedef __m512 vf;
typedef __m512i vi;
typedef __mmask16 vm;

static inline vm vm_first(int n)
{
    return (vm)((1u << n) - 1u);
}

static inline vf vf_zero(void)
{
    return _mm512_setzero_ps();
}

VEC_1(vf, vf_set, float, _mm512_set1_ps)
VEC_1(vf, vf_load, const float *, _mm512_loadu_ps)

static inline vf vf_load_n(const float *p, int n)
{
    return _mm512_maskz_loadu_ps(vm_first(n), p);
}

static inline void vf_store(float *p, vf x)
{
    _mm512_storeu_ps(p, x);
}

static inline void vf_store_n(float *p, vf x, int n)
{
    _mm512_mask_storeu_ps(p, vm_first(n), x);
}

VEC_2(vf, vf_add, vf, _mm512_add_ps)
VEC_2(vf, vf_sub, vf, _mm512_sub_ps)
VEC_2(vf, vf_mul, vf, _mm512_mul_ps)
VEC_2(vf, vf_div, vf, _mm512_div_ps)
VEC_1(vf, vf_sqrt, vf, _mm512_sqrt_ps)

static inline vf vf_fma(vf a, vf b, vf c)
{
    return _mm512_fmadd_ps(a, b, c);
}

VEC_2(vf, vf_max, vf, _mm512_max_ps)
VEC_2(vf, vf_min, vf, _mm512_min_ps)
VEC_1(vi, vf_bits, vf, _mm512_castps_si512)
VEC_1(vf, vi_floats, vi, _mm512_castsi512_ps)
VEC_1(vi, vf_rint, vf, _mm512_cvtps_epi32)

static inline vf vf_trunc(vf a)
{
    return _mm512_roundscale_ps(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

VEC_1(vf, vi_convert, vi, _mm512_cvtepi32_ps)
VEC_1(vi, vi_set, int32_t, _mm512_set1_epi32)
VEC_1(vi, vi_load, const int32_t *, _mm512_loadu_si512)

static inline void vi_store(int32_t *p, vi x)
{
    _mm512_storeu_si512(p, x);
}

VEC_2(vi, vi_add, vi, _mm512_add_epi32)
VEC_2(vi, vi_sub, vi, _mm512_sub_epi32)
VEC_2(vi, vi_and, vi, _mm512_and_si512)
VEC_2(vi, vi_or, vi, _mm512_or_si512)

#define VEC_HAS_LDEXP
#ifdef __AMX_BF16__
#define VEC_HAS_BF16_TILES
#endif
static inline vf vf_ldexp(vf a, vi n)
{
    return _mm512_scalef_ps(a, _mm512_cvtepi32_ps(n));
}

#define vi_shl(a, count) _mm512_slli_epi32(a, count)
#define vi_shr(a, count) _mm512_srli_epi32(a, count)
#define vi_sar(a, count) _mm512_srai_epi32(a, count)

static inline vm vf_less(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}

static inline vm vf_equal(vf a, vf b)
{
    return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}

static inline int vm_any(vm m)
{
    return m != 0;
}

static inline vm vf_is_nan(vf a)
{
    return _mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q);
}

static inline vf vf_select(vm m, vf a, vf b)
{
    return _mm512_mask_blend_ps(m, b, a);
}

static inline vf vf_load_f16(const uint16_t *p)
{
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(const void *)p));
}

static inline vf vf_set_f16(uint16_t half)
{
    return _mm512_cvtph_ps(_mm256_set1_epi16((short)half));
}

static inline vf vf_load_f16_n(const uint16_t *p, int n)
{
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(vm_first(n), p));
}

static inline void vf_store_f16_n(uint16_t *p, vf x, int n)
{
    const __m256i half = _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    _mm256_mask_storeu_epi16(p, vm_first(n), half);
}

static inline vf vf_load_bf16(const uint16_t *p)
{
    const __m256i half = _mm256_loadu_si256((const __m256i *)(const void *)p);
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
}

static inline float vf_sum(vf a)
{
    const __m256 low = _mm512_castps512_ps256(a), high = _mm512_extractf32x8_ps(a, 1);
    const __m256 eight = _mm256_add_ps(low, high);
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

static inline void vf_sum4(float *out, vf a, vf b, vf c, vf d)
{
    const __m512 ab =
        _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x44), _mm512_shuffle_f32x4(a, b, 0xee));
    const __m512 cd =
        _mm512_add_ps(_mm512_shuffle_f32x4(c, d, 0x44), _mm512_shuffle_f32x4(c, d, 0xee));
    const __m512 four =
        _mm512_add_ps(_mm512_shuffle_f32x4(ab, cd, 0x88), _mm512_shuffle_f32x4(ab, cd, 0xdd));
    const __m512 two = _mm512_add_ps(four, _mm512_permute_ps(four, 0x4e));
    const __m512 one = _mm512_add_ps(two, _mm512_permute_ps(two, 0xb1));
    _mm_storeu_ps(out, _mm512_castps512_ps128(_mm512_maskz_compress_ps(0x1111, one)));
}

VEC_1(float, vf_first, vf, _mm512_cvtss_f32)
VEC_1(float, vf_max_lanes, vf, _mm512_reduce_max_ps)

static inline void vec_leave(void)
{
    _mm256_zeroupper();
}

#endif
