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
    if (tier != TIER_T2)
        return (proven + floor) * CONFORM_WIDEN;
    const double likely = LAMBDA * U * sqrt(h + 2) * sqrt(s->n2);
    return ((likely < proven ? likely : proven) + floor) * CONFORM_WIDEN;
}

double conform_floor_unit(const conform_declared *d)
{
    return d->ftz ? 2 * FMIN : SMIN;
}
