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
 * A sum of products in f64, compensated, with what bounds need: the value, A = sum |terms| in the
 * most expanded form, N2 = sum of squares of those terms, and the count.
 */
typedef struct conform_sum {
    double hi, lo;
    double a, n2; /* of the finite terms */
    int64_t n;
    int signs; /* of finite terms: 1: some are above 0, 2: some are below */
    /* Of declared arithmetic (numerics 9.2): how far rounded factors may move the terms, */
    double moved, moved2; /* summed up, and the squares */
    double largest, unit; /* the largest |term|, and what all terms are multiples of: powers of 2 */
    bool is_unsure;       /* a factor that may overflow, or vanish beside an infinity */
} conform_sum;

/* Two-sum: the error of an f64 addition, kept (numerics 2, sums longer than 512 terms). */
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
 * Says of a term that was added how far its factors, of magnitudes x and w in the most expanded
 * form, may be moved by roundings to nearest: by ex and ew each (conform_rounding_error).
 */
void conform_sum_move(conform_sum *s, double x, double ex, double w, double ew);

/* In what a sum is kept, and what becomes of it. */
typedef struct conform_summing {
    conform_tier tier;
    double h;                /* roundings to f32 */
    double h_half;           /* roundings to f16 before these; 0: sums are kept in f32 */
    double block;            /* terms that one of these sums has at most */
    const ifn_arithmetic *a; /* NULL: as always */
} conform_summing;

/* How a sum of n terms is rounded under what d declares. h: its roundings if it is kept in f32, of which
 * `more` are not of additions. */
conform_summing conform_summing_of(conform_tier tier, const conform_declared *d, double h, double n,
                                   double more);

/* Smallest subnormal of what the sums are kept in: what takes the place of SMIN in a floor. */
double conform_summing_unit(const conform_declared *d);

/* The bound of a sum with rounding depth h for the tier of the case (T2 only where allowed). */
double conform_sum_bound(const conform_sum *s, conform_tier tier, double h, double floor);

/* The same under declared arithmetic, T0 as T1: the sum need not be exact. */
double conform_sum_bound_in(const conform_sum *s, const conform_summing *how, double floor);

/* The bound of what is within `bound` of want and passes through a format (IFN_ROUND_*) once more:
 * 0 where it is exact and held, INFINITY where it may overflow. */
double conform_bound_of_output(double want, double bound, uint32_t round);

/*
 * Judges element i of a truth by its sum: want, bound, and power. A sum outside the domain
 * ((1 + gamma) A >= FMAX, numerics 4.1) is skipped unless every order gives the same infinity.
 * In T0 sums are exact where all factors and partial sums are held by the declared formats; where not, T1 applies.
 */
void conform_judge_sum(conform_truth *t, int64_t i, const conform_sum *s,
                       const conform_summing *how, double floor);

/*
 * What adding a positive term to a sum may lose to one side (numerics 4.2, T2): a term that is
 * small beside the rounding of the sum is rounded as its neighbours are, and no walk is random
 * there.
 */
static inline double conform_drift(double term, double sum)
{
    return term < 32 * U * sum ? fmin(term, U * sum) : 0.0;
}

/* The relative error of a sum of positive terms: gamma(h), or in T2 lambda u sqrt(h + 2) and the
 * drift, a share of the sum, if that is less; 0 in T0. */
double conform_positive_error(conform_tier tier, double h, double drift);

/* The same as conform_judge_sum for a sum of terms of one sign; `drift` of all terms together. */
void conform_judge_positive_sum(conform_truth *t, int64_t i, const conform_sum *s,
                                conform_tier tier, double h, double drift, double floor);

/* x / (1 + e^-x) and its bound (numerics 6): silu, and the inner part of swiglu. */
double conform_silu(float x, const conform_declared *declared, double *bound);
/* The mean error that an exponential within its budget may have (numerics 5). */
static inline double conform_exp_mean(const conform_declared *d)
{
    return d->exp_eps / 4;
}

/* The floor of silu: SMIN, or 2^-119 below -80 where the exponential may be flushed. */
double conform_silu_floor(float x, const conform_declared *declared);

/* floor unit: SMIN, or 2 FMIN for a backend that flushes. */
double conform_floor_unit(const conform_declared *d);

/* f32 helpers: what a correctly rounded operation of f32 gives, from f64. */
static inline float conform_round(double x)
{
    return (float)x;
}

#endif
