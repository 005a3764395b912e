/*
 * The exponential, for silu, swiglu, softmax_rows and attention.
 *
 * e^x = 2^n e^r with n = rint(x / ln 2) and r = x - n ln 2, |r| <= ln 2 / 2 (Cody and Waite: ln 2
 * in two pieces, the first short enough that n times it is exact), e^r = 1 + r + r^2 q(r). The
 * polynomial is within 2^-28 of e^r; with its evaluation and r the error is at most 1.01 ulp where
 * there is FMA (every float tried; the budget is 2, numerics 5). e^0 = 1 exactly, e^-inf = 0, NaN
 * stays.
 */
#ifndef IFN_VEC_MATH_H
#define IFN_VEC_MATH_H

#include "vec_vocabulary.h"

#ifndef VEC_HAS_LDEXP
/* 2^n for -126 <= n <= 127 */
static inline vf vf_power_of_two(vi n)
{
    return vi_floats(vi_shl(vi_add(n, vi_set(127)), 23));
}

/* a 2^n for -252 <= n <= 254, in two factors: n = 128 has no float, and below -126 the second
 * product rounds once. */
static inline vf vf_ldexp(vf a, vi n)
{
    const vi half = vi_sar(n, 1);
    return vf_mul(vf_mul(a, vf_power_of_two(half)), vf_power_of_two(vi_sub(n, half)));
}
#endif

static inline vf vf_exp(vf x)
{
    /* Clamps x: above 89 the result is inf, below -104 it rounds to 0. A NaN is the second operand and stays. */
    x = vf_min(vf_set(89.0f), vf_max(vf_set(-104.0f), x));
    const vi n = vf_rint(vf_mul(x, vf_set(0x1.715476p+0f)));
    const vf fn = vi_convert(n);
    vf r = vf_fma(fn, vf_set(-0x1.62e4p-1f), x);
    r = vf_fma(fn, vf_set(-0x1.7f7d1cp-20f), r);
    vf q = vf_set(0x1.6a23d0p-10f);
    q = vf_fma(q, r, vf_set(0x1.123a20p-7f));
    q = vf_fma(q, r, vf_set(0x1.5558f2p-5f));
    q = vf_fma(q, r, vf_set(0x1.555492p-3f));
    q = vf_fma(q, r, vf_set(0x1.fffffcp-2f));
    const vf p = vf_add(vf_fma(vf_mul(r, r), q, r), vf_set(1.0f));
    return vf_ldexp(p, n);
}

/* x / (1 + e^-x): -inf gives -inf/inf = NaN, as the formula does. */
static inline vf vf_silu(vf x)
{
    return vf_div(x, vf_add(vf_set(1.0f), vf_exp(vf_sub(vf_zero(), x))));
}

#endif
