/* Sums with their bounds (numerics 4). */
#include "bounds.h"

#include <stdbool.h>

#include "arithmetic.h"

double conform_sum_value(const conform_sum *s)
{
    /* lo is not added to inf or NaN: it is NaN then, from inf - inf */
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

/* The largest power of two that divides x, which is not 0. */
static double lowest_bit(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    int zeros = 0;
    while (zeros < 52 && !(bits >> zeros & 1))
        zeros++;
    return exponent > 0 ? ldexp(1.0, exponent - 1023 - 52 + zeros) : 0;
}

void conform_sum_move(conform_sum *s, double x, double ex, double w, double ew)
{
    const double term = x * w;
    s->is_unsure |= isinf(ex) || isinf(ew) || (ew > 0 && ew >= w && isinf(x)) ||
                    (ex > 0 && ex >= x && isinf(w));
    if (!isfinite(term) || s->is_unsure)
        return;
    const double moved = x * ew + w * ex + ex * ew;
    s->moved += moved;
    s->moved2 += moved * moved;
    if (term == 0)
        return;
    const double unit = lowest_bit(term);
    s->unit = s->largest == 0 || unit < s->unit ? unit : s->unit;
    s->largest = fmax(s->largest, term);
}

double conform_summing_unit(const conform_declared *d)
{
    const double unit = conform_floor_unit(d), half = 2 * conform_format_of(IFN_ROUND_F16)->tiny;
    return d->arithmetic.sums == IFN_ROUND_F16 && half > unit ? half : unit;
}

conform_summing conform_summing_of(conform_tier tier, const conform_declared *d, double h, double n,
                                   double more)
{
    conform_summing how = {.tier = tier, .h = h};
    if (conform_arithmetic_is_plain(&d->arithmetic))
        return how;
    how.a = &d->arithmetic;
    if (how.a->sums != IFN_ROUND_F16)
        return how;
    const double deepest = d->depth ? (double)d->depth : n, most = how.a->sum_block;
    how.block = most > 0 && most < n ? most : n;
    how.h_half = fmin(how.block, deepest) + more;
    how.h = (how.block > 0 ? ceil(n / how.block) : 0) + more + 1;
    return how;
}

/* The bound on the relative error of a sum by its roundings: gamma(h) if all are in f32. */
static double growth(const conform_summing *how)
{
    return how->h_half > 0
               ? expm1(how->h_half * log1p(conform_format_of(IFN_ROUND_F16)->u) + how->h * log1p(U))
               : conform_gamma(how->h);
}

/* True if the sum is exact: the declared formats hold all factors and all partial sums. */
static bool is_exact(const conform_sum *s, const conform_summing *how)
{
    if (how->tier != TIER_T0 || s->moved > 0)
        return false;
    if (how->h_half == 0 || s->largest == 0)
        return true;
    const conform_format *const half = conform_format_of(IFN_ROUND_F16);
    const double most = fmin(how->block + 1, (double)s->n) * s->largest;
    return most <= ldexp(s->unit, half->bits) && most < half->overflow &&
           s->unit >= 2 * half->tiny && (double)s->n * s->largest <= ldexp(s->unit, 24);
}

/* 1 if all terms have one sign and their sum is beyond the range: every order overflows to the same infinity. */
static int overflows_surely(const conform_sum *s, const conform_summing *how)
{
    return s->signs != 3 && fabs(conform_sum_value(s)) == s->a &&
           (1.0 - growth(how)) * (s->a - s->moved) >= 0x1p128;
}

/* True if no partial sum can overflow. Sums in f16 are those of one block; no term is moved by more than
 * sqrt(moved2). */
static bool does_fit(const conform_sum *s, const conform_summing *how)
{
    const double all = s->a + s->moved, most = 1.0 + growth(how);
    const double of_block = how->block * (s->largest + sqrt(s->moved2));
    return most * all < FMAX &&
           (how->h_half == 0 ||
            most * fmin(all, of_block) < conform_format_of(IFN_ROUND_F16)->overflow);
}

/* 1 if element i has a finite bound to be filled in; otherwise it is judged by kind or skipped. */
static int in_domain(conform_truth *t, int64_t i, const conform_sum *s, const conform_summing *how)
{
    const double value = conform_sum_value(s);
    const int fits = does_fit(s, how);
    t->want[i] = value;
    if (s->is_unsure && !isnan(value)) {
        t->skip[i] = 1;
        return 0;
    }
    if (!isfinite(value)) {
        /* Judged by kind: NaN, or the infinity of an infinite operand; skipped if the finite terms may
         * overflow to the opposite infinity. */
        t->skip[i] = isinf(value) && !fits;
        return 0;
    }
    if (fits)
        return 1;
    t->want[i] = value > 0 ? (double)INFINITY : -(double)INFINITY;
    t->skip[i] = !overflows_surely(s, how);
    return 0;
}

/* Updates the power. The root mean square of the terms replaces their median, which would need a sort per element. */
static void note_power(conform_truth *t, int64_t i, const conform_sum *s)
{
    if (s->n == 0 || t->bound[i] <= 0)
        return;
    const double power = sqrt(s->n2 / (double)s->n) / t->bound[i];
    t->power = power > t->power ? power : t->power;
}

/* Numerics 9.2. In T2 the roundings of inputs have random signs, as the terms have; the roundings of sums are a random
 * walk over terms that rounded inputs may have enlarged. */
double conform_sum_bound_in(const conform_sum *s, const conform_summing *how, double floor)
{
    if (!how->a)
        return conform_sum_bound(s, how->tier, how->h, floor);
    const double proven = growth(how) * (s->a + s->moved) + s->moved;
    if (how->tier != TIER_T2)
        return (proven + floor) * CONFORM_WIDEN;
    const double half = conform_format_of(IFN_ROUND_F16)->u;
    const double in_half =
        how->h_half > 0 ? half * sqrt(how->h_half + 2) * exp(how->h_half * half) : 0;
    const double walk = (in_half + U * sqrt(how->h + 2)) * (sqrt(s->n2) + sqrt(s->moved2));
    return (fmin(LAMBDA * (walk + sqrt(s->moved2)), proven) + floor) * CONFORM_WIDEN;
}

double conform_bound_of_output(double want, double bound, uint32_t round)
{
    const conform_format *const f = conform_format_of(round);
    if (bound == 0)
        return conform_rounding_error(f, want);
    const double largest = fabs(want) + bound;
    return largest >= f->overflow ? (double)INFINITY : bound + f->u * largest + f->tiny;
}

void conform_judge_sum(conform_truth *t, int64_t i, const conform_sum *s,
                       const conform_summing *how, double floor)
{
    if (!in_domain(t, i, s, how))
        return;
    t->bound[i] = how->a && is_exact(s, how) ? 0 : conform_sum_bound_in(s, how, floor);
    if (how->a && how->a->output)
        t->bound[i] = conform_bound_of_output(t->want[i], t->bound[i], how->a->output);
    t->skip[i] |= !isfinite(t->bound[i]);
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
    if (!in_domain(t, i, s, &(conform_summing){.tier = tier, .h = h}))
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
    /* Below zero x e^x / (1 + e^x) is used, as e^-x would overflow; -inf is NaN by the formula, -inf / inf. */
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
