/* The bound toolkit of numerics 4, for oracles. */
#ifndef CONFORM_BOUNDS_H
#define CONFORM_BOUNDS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "blocks.h"
#include "truth.h"

#define U      0x1p-24  /* unit roundoff of f32 */
#define SMIN   0x1p-149 /* smallest subnormal */
#define FMIN   0x1p-126 /* smallest normal */
#define FMAX   0x1.fffffep127
#define LAMBDA 10.0

/* gamma(n) = n u / (1 - n u) */
static inline double conform_gamma(double n)
{
    return n * U / (1.0 - n * U);
}

/* Every bound is widened by this for the oracle's own error (numerics 2). */
#define CONFORM_WIDEN (1.0 + 0x1p-20)

/*
 * A compensated sum of products in f64, with the quantities that bounds need: the value, A = sum |terms| in the
 * most expanded form, N2 = sum of squares of those terms, and the count.
 */
typedef struct conform_sum {
    double hi, lo;
    double a, n2; /* of the finite terms */
    int64_t n;
    int signs; /* of finite terms: 1: some are above 0, 2: some are below */
    /* For declared arithmetic (numerics 9.2), whose factors are rounded: */
    double moved, moved2; /* the most that roundings move a term by: sum, and sum of squares */
    double largest, unit; /* the largest |term|; the power of 2 that all terms are multiples of */
    bool is_unsure;       /* a factor may overflow, or may round to 0 while the other is infinite */
} conform_sum;

/* Adds a term by two-sum, which keeps the rounding error of the f64 addition (numerics 2, sums longer than 512
 * terms). */
static inline void conform_sum_add(conform_sum *s, double term, double expanded)
{
    const double magnitude = fabs(expanded);
    const double sum = s->hi + term, back = sum - s->hi;
    s->lo += (s->hi - (sum - back)) + (term - back);
    s->hi = sum;
    s->n++;
    if (!isfinite(magnitude))
        return;
    s->a += magnitude;
    s->n2 += magnitude * magnitude;
    s->signs |= (term > 0) | (term < 0) << 1;
}

double conform_sum_value(const conform_sum *s);

/*
 * Records how far roundings to nearest may move the term that was just added. Its factors have the magnitudes x and w
 * in the most expanded form, and their roundings move them by at most ex and ew (conform_rounding_error).
 */
void conform_sum_move(conform_sum *s, double x, double ex, double w, double ew);

/* How a sum is rounded: the formats of its partial sums and of its result. */
typedef struct conform_summing {
    conform_tier tier;
    double h;                /* roundings to f32 */
    double h_half;           /* roundings to f16 before these; 0: sums are kept in f32 */
    double block;            /* the most terms that one f16 sum has */
    const ifn_arithmetic *a; /* NULL: f32 throughout */
} conform_summing;

/* How a sum of n terms is rounded under the declarations d. h: its number of roundings if it is kept in f32; `more` of
 * them are not those of additions. */
conform_summing conform_summing_of(conform_tier tier, const conform_declared *d, double h, double n,
                                   double more);

/* The smallest subnormal of the format that sums are kept in, which replaces SMIN in a floor. */
double conform_summing_unit(const conform_declared *d);

/* The bound of a sum with rounding depth h for the tier of the case (T2 only where allowed). */
double conform_sum_bound(const conform_sum *s, conform_tier tier, double h, double floor);

/* The same under declared arithmetic. T0 is bounded as T1, because the sum need not be exact. */
double conform_sum_bound_in(const conform_sum *s, const conform_summing *how, double floor);

/* The bound of a result that lies within `bound` of want and is then rounded to a format (IFN_ROUND_*):
 * 0 if it is exact and the format holds it, INFINITY if it may overflow. */
double conform_bound_of_output(double want, double bound, uint32_t round);

/*
 * Judges element i of a truth by its sum: want, bound, and power. A sum outside the domain
 * ((1 + gamma) A >= FMAX, numerics 4.1) is skipped unless every order gives the same infinity.
 * In T0 a sum is exact if the declared formats hold all factors and partial sums; otherwise T1 applies.
 */
void conform_judge_sum(conform_truth *t, int64_t i, const conform_sum *s,
                       const conform_summing *how, double floor);

/*
 * The one-sided error of adding a positive term to a sum (numerics 4.2, T2). Terms that are small against the
 * rounding error of the sum are all rounded to the same side, so their errors are no random walk.
 */
static inline double conform_drift(double term, double sum)
{
    return term < 32 * U * sum ? fmin(term, U * sum) : 0.0;
}

/* The relative error of a sum of positive terms: gamma(h); in T2 lambda u sqrt(h + 2) + drift if that is less, with
 * the drift relative to the sum; 0 in T0. */
double conform_positive_error(conform_tier tier, double h, double drift);

/* The same as conform_judge_sum for a sum of terms of one sign; `drift` is that of all terms together. */
void conform_judge_positive_sum(conform_truth *t, int64_t i, const conform_sum *s,
                                conform_tier tier, double h, double drift, double floor);

/* Returns x / (1 + e^-x) and sets its bound (numerics 6): silu, and the inner part of swiglu. */
double conform_silu(float x, const conform_declared *declared, double *bound);
/* The mean error that an exponential within its budget may have (numerics 5). */
static inline double conform_exp_mean(const conform_declared *d)
{
    return d->exp_eps / 4;
}

/* The floor of silu: SMIN, or 2^-119 below -80 where the exponential may be flushed. */
double conform_silu_floor(float x, const conform_declared *declared);

/* The unit of floors: SMIN, or 2 FMIN for a backend that flushes. */
double conform_floor_unit(const conform_declared *d);

/* Rounds to f32: the result of a correctly rounded f32 operation, from its f64 value. */
static inline float conform_round(double x)
{
    return (float)x;
}

#endif
