/* Sums with their bounds (numerics 4). */
#include "bounds.h"

double conform_sum_value(const conform_sum *s)
{
    /* inf and NaN have no error worth adding: inf - inf would make one up */
    return isfinite(s->hi) ? s->hi + s->lo : s->hi;
}

double conform_sum_bound(const conform_sum *s, conform_tier tier, double h, double floor)
{
    const double proven = conform_gamma(h) * s->a;
    if (tier == TIER_T0)
        return 0; /* every order is exact */
    if (tier != TIER_T2)
        return (proven + floor) * CONFORM_WIDEN;
    const double likely = LAMBDA * U * sqrt(h + 2) * sqrt(s->n2);
    return ((likely < proven ? likely : proven) + floor) * CONFORM_WIDEN;
}

/* Same-sign data beyond the range: every order overflows to the same infinity. */
static int overflows_surely(const conform_sum *s, double h)
{
    return s->signs != 3 && fabs(conform_sum_value(s)) == s->a &&
           (1.0 - conform_gamma(h)) * s->a >= 0x1p128;
}

/* 1 if element i has a finite bound to be filled in; otherwise it is judged by kind or skipped. */
static int in_domain(conform_truth *t, int64_t i, const conform_sum *s, double h)
{
    const double value = conform_sum_value(s);
    const int fits = (1.0 + conform_gamma(h)) * s->a < FMAX;
    t->want[i] = value;
    if (!isfinite(value)) {
        /* By kind: NaN, or the infinity of an infinite operand, unless the finite terms may make
         * the opposite one. */
        t->skip[i] = isinf(value) && !fits;
        return 0;
    }
    if (fits)
        return 1;
    t->want[i] = value > 0 ? (double)INFINITY : -(double)INFINITY;
    t->skip[i] = !overflows_surely(s, h);
    return 0;
}

/* The root mean square stands for the median of the terms: no sort per element. */
static void note_power(conform_truth *t, int64_t i, const conform_sum *s)
{
    if (s->n == 0 || t->bound[i] <= 0)
        return;
    const double power = sqrt(s->n2 / (double)s->n) / t->bound[i];
    t->power = power > t->power ? power : t->power;
}

void conform_judge_sum(conform_truth *t, int64_t i, const conform_sum *s, conform_tier tier,
                       double h, double floor)
{
    if (!in_domain(t, i, s, h))
        return;
    t->bound[i] = conform_sum_bound(s, tier, h, floor);
    note_power(t, i, s);
}

double conform_positive_error(conform_tier tier, double h, double drift)
{
    const double likely = LAMBDA * U * sqrt(h + 2) + drift, proven = conform_gamma(h);
    if (tier == TIER_T0)
        return 0;
    return tier == TIER_T2 && likely < proven ? likely : proven;
}

void conform_judge_positive_sum(conform_truth *t, int64_t i, const conform_sum *s,
                                conform_tier tier, double h, double drift, double floor)
{
    if (!in_domain(t, i, s, h))
        return;
    const double relative = conform_positive_error(tier, h, s->a > 0 ? drift / s->a : 0);
    if (tier != TIER_T0)
        t->bound[i] = (relative * s->a + floor) * CONFORM_WIDEN;
    note_power(t, i, s);
}

double conform_silu_floor(float x, const conform_declared *declared)
{
    return x >= -80.0f ? conform_floor_unit(declared) : 0x1p-119;
}

double conform_silu(float x, const conform_declared *declared, double *bound)
{
    /* e^x / (1 + e^x) below zero, where e^-x would overflow; -inf is inf / inf by the formula. */
    const double t = exp(-(double)x);
    const double y = isinf(x) && x < 0 ? (double)NAN
                     : x < 0           ? (double)x * exp((double)x) / (1.0 + exp((double)x))
                                       : (double)x / (1.0 + t);
    const double share = isinf(t) ? 1.0 : t / (1.0 + t);
    *bound = ((share * declared->exp_eps + 4 * U) * fabs(y) + conform_silu_floor(x, declared)) *
             CONFORM_WIDEN;
    return y;
}

double conform_floor_unit(const conform_declared *d)
{
    return d->ftz ? 2 * FMIN : SMIN;
}
