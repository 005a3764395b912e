/* Exponentials, logistic functions and roots in the forms that vector code gives them. */
#include <math.h>
#if defined __x86_64__
#include <xmmintrin.h>
#endif

#include "honest.h"

#define LOG2_E 1.44269504088896340736f
/* ln 2 in two parts; the first times an integer below 2^8 is exact. */
#define LN_2_HIGH 0x1.62e4p-1f
#define LN_2_LOW  0x1.7f7d1cp-20f

/* e^r for |r| <= ln 2 / 2. */
static float near_zero(float r)
{
    float p = 1.0f / 5040;
    p = fmaf(p, r, 1.0f / 720);
    p = fmaf(p, r, 1.0f / 120);
    p = fmaf(p, r, 1.0f / 24);
    p = fmaf(p, r, 1.0f / 6);
    p = fmaf(p, r, 0.5f);
    return 1.0f + fmaf(p * r, r, r);
}

/* Results below the smallest normal are flushed, as numerics 5 has it. */
static float scaled(float y, int e)
{
    const float x = ldexpf(y, e);
    return x < 0x1p-126f ? 0.0f : x;
}

static float by_polynomial(float x)
{
    const float n = rintf(x * LOG2_E);
    return scaled(near_zero(fmaf(-n, LN_2_LOW, fmaf(-n, LN_2_HIGH, x))), (int)n);
}

/* 2^(i / 16) from a table, the rest by a polynomial of the third degree. */
static float by_table(float x)
{
    static const float table[16] = {
        0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
        0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
        0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
        0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f,
    };
    const float n = rintf(x * (16 * LOG2_E));
    const int i = (int)n;
    const float r = fmaf(-n, LN_2_LOW / 16, fmaf(-n, LN_2_HIGH / 16, x));
    const float p = fmaf(fmaf(fmaf(1.0f / 24, r, 1.0f / 6), r, 0.5f), r * r, r);
    return scaled(fmaf(table[i & 15], p, table[i & 15]), i >> 4);
}

/* 2^(x log2 e), the product as the sum of two floats: one float alone would err by |x| u. */
static float by_base_2(float x)
{
    const float high = x * LOG2_E;
    const float low = fmaf(x, 1.92596299e-8f, fmaf(x, LOG2_E, -high));
    const float y = exp2f(high);
    return y < 0x1p-126f ? 0.0f : fmaf(y, low * 0.693147180559945f, y);
}

float exp_of(const style *s, float x)
{
    if (s->exp == EXP_LIBM || !isfinite(x) || x > 88.0f)
        return expf(x);
    if (x < -87.0f)
        return x > -87.33f ? expf(x) : 0.0f;
    switch (s->exp) {
    case EXP_POLYNOMIAL:
        return by_polynomial(x);
    case EXP_TABLE:
        return by_table(x);
    case EXP_BASE_2:
        return by_base_2(x);
    default:
        return (float)exp((double)x);
    }
}

static float two_sided(const style *s, float x)
{
    if (!(x < 0))
        return x / (1.0f + exp_of(s, -x));
    const float e = exp_of(s, x);
    return x * (e / (1.0f + e));
}

/* x / 2 (1 + tanh(x / 2)) for x >= 0; below zero 1 + tanh(x / 2) would cancel. */
static float by_tanh(const style *s, float x)
{
    return x >= 0 ? 0.5f * x * (1.0f + tanhf(0.5f * x)) : two_sided(s, x);
}

float silu_of(const style *s, float x)
{
    switch (s->silu) {
    case SILU_RECIPROCAL:
        return x * (1.0f / (1.0f + exp_of(s, -x)));
    case SILU_TWO_SIDED:
        return two_sided(s, x);
    case SILU_TANH:
        return by_tanh(s, x);
    default:
        return x / (1.0f + exp_of(s, -x));
    }
}

/* An estimate of 1 / sqrt(x): the processor's, or the result rounded to 12 bits, as a table would have it. */
static float estimate(const style *s, float x)
{
#if defined __x86_64__
    if (s->norm == NORM_SSE)
        return _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(x)));
#endif
    int e;
    const float y = frexpf(1.0f / sqrtf(x), &e);
    (void)s;
    return ldexpf(rintf(y * 4096.0f), e - 12);
}

static float refined(float x, float y)
{
    const float half = 0.5f * x;
    return y * fmaf(-half * y, y, 1.5f);
}

float rsqrt_of(const style *s, float x)
{
    const int is_plain = x >= 0x1p-120f && x <= 0x1p120f;
    if (s->norm == NORM_DOUBLE)
        return (float)(1.0 / sqrt((double)x));
    if ((s->norm == NORM_NEWTON || s->norm == NORM_SSE) && is_plain)
        return refined(x, estimate(s, x));
    return 1.0f / sqrtf(x);
}
