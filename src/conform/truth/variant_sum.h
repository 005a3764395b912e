/* One sum of products, in the order a variant has chosen. */
#ifndef CONFORM_VARIANT_SUM_H
#define CONFORM_VARIANT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "arithmetic.h"

typedef enum variant_order {
    ORDER_FORWARD,
    ORDER_BACKWARD,
    ORDER_SHUFFLED, /* a permutation of the seed and of n, and of nothing else */
    ORDER_PAIRWISE  /* halves of halves */
} variant_order;

enum { VARIANT_MAX_LANES = 16 };

typedef struct variant {
    variant_order order;
    int lanes;   /* accumulators that take turns, added as a tree: a power of two */
    bool is_fma; /* a product joins its accumulator with one rounding */
    bool is_f64; /* products and sum in f64, rounded once */
    uint64_t seed;
    /* Of declared arithmetic (numerics 9.2), all of which it does: */
    const conform_arithmetics *declared; /* NULL: f32 throughout */
    double stretch;   /* from 1 to 2: what is rounded is rounded after multiplication by this */
    ifn_arithmetic a; /* of the op at hand; zero: f32 */
} variant;

/* The same with the arithmetic of one op on one dtype. */
variant variant_in(const variant *v, ifn_op op, ifn_dtype dtype);

/*
 * x as one honest rounding to the format (IFN_ROUND_*) may leave it: what the format holds stays, and
 * all else is off by no more than rounding to nearest allows. By the stretch, two variants are off
 * independently of each other.
 */
float variant_round(const variant *v, uint32_t format, float x);

/* The i-th term is (a[i * a_stride] + add[i]) * b[i * b_stride]. */
typedef struct variant_terms {
    const float *a, *b; /* b NULL: the first factor, squared */
    const float *add;   /* NULL: nothing is added */
    int64_t a_stride, b_stride;
} variant_terms;

/* The order depends on the variant and n only, so an element has the same bits in any part, row or
 * chunk. n = 0 gives 0. */
float variant_sum(const variant *v, const variant_terms *t, int64_t n);

enum { VARIANT_AT_ONCE = 16 };

/*
 * VARIANT_AT_ONCE sums with one factor in common, of w[i * stride + o] * x[i]. Products of matrices have
 * nothing but such sums, and their orders leave a processor's vectors no other room than sums side by
 * side.
 */
typedef void (*variant_sums)(const variant *v, const float *w, int64_t stride, const float *x,
                             int64_t n, float *out);

/* With the bits of variant_sum of each, for this processor. */
variant_sums variant_sums_here(void);

/* Any number of them: out[o] is the sum of w[i * stride + o] * x[i] over n rows i. */
void variant_sums_of_rows(const variant *v, const float *w, int64_t stride, int64_t n_sums,
                          const float *x, int64_t n, float *out);

#endif
