/* Sums with their bounds (numerics 4). */
#include "bounds.h"

/* Two-sum: the error of an f64 addition, kept (numerics 2, sums longer than 512 terms). */
void conform_sum_add(conform_sum *s, double term, double expanded)
{
    const double magnitude = fabs(expanded);
    const double sum = s->hi + term, back = sum - s->hi;
    s->lo += (s->hi - (sum - back)) + (term - back);
    s->hi = sum;
    s->a += magnitude;
    s->n2 += magnitude * magnitude;
    s->n++;
    if (magnitude > 0 && (s->smallest == 0 || magnitude < s->smallest))
        s->smallest = magnitude;
}

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
    return fabs(conform_sum_value(s)) == s->a && (1.0 - conform_gamma(h)) * s->a >= 0x1p128;
}

void conform_judge_sum(conform_truth *t, int64_t i, const conform_sum *s, conform_tier tier,
                       double h, double floor)
{
    const double value = conform_sum_value(s);
    t->want[i] = value;
    if (!isfinite(value))
        return; /* by kind: NaN, or the infinity of an infinite operand */
    if ((1.0 + conform_gamma(h)) * s->a >= FMAX) {
        t->want[i] = value > 0 ? (double)INFINITY : -(double)INFINITY;
        t->skip[i] = !overflows_surely(s, h);
        return;
    }
    t->bound[i] = conform_sum_bound(s, tier, h, floor);
    if (s->n > 0 && t->bound[i] > 0) {
        /* the root mean square stands for the median of the terms: no sort per element */
        const double power = sqrt(s->n2 / (double)s->n) / t->bound[i];
        t->power = power > t->power ? power : t->power;
    }
}

double conform_floor_unit(const conform_declared *d)
{
    return d->ftz ? 2 * FMIN : SMIN;
}
