/* One sum of products, in the order and with the roundings of a variant. */
#ifndef CONFORM_VARIANT_SUM_H
#define CONFORM_VARIANT_SUM_H

#include <stdbool.h>
#include <stdint.h>

#include "arithmetic.h"

typedef enum variant_order {
    ORDER_FORWARD,
    ORDER_BACKWARD,
    ORDER_SHUFFLED, /* a permutation that depends only on the seed and on n */
    ORDER_PAIRWISE  /* halves of halves */
} variant_order;

enum { VARIANT_MAX_LANES = 16 };

typedef struct variant {
    variant_order order;
    int lanes;   /* accumulators that take turns, added as a tree: a power of two */
    bool is_fma; /* fused multiply-add: one rounding per term */
    bool is_f64; /* products and sum in f64, rounded once */
    uint64_t seed;
    /* Declared arithmetic (numerics 9.2), which the variant makes full use of: */
    const conform_arithmetics *declared; /* NULL: f32 throughout */
    double stretch;   /* 1 to 2: a value is multiplied by this before rounding, and divided after */
    ifn_arithmetic a; /* that of the current op; zero: f32 */
} variant;

/* The same variant, with `a` set to the declared arithmetic of one op on one dtype. */
variant variant_in(const variant *v, ifn_op op, ifn_dtype dtype);

/*
 * Rounds x once to the format (IFN_ROUND_*), as a correct backend may: a value that the format holds stays, any other
 * is off by no more than rounding to nearest allows. Because of the stretch, the errors of two variants are
 * independent of each other.
 */
float variant_round(const variant *v, uint32_t format, float x);

/* The i-th term is (a[i * a_stride] + add[i]) * b[i * b_stride]. */
typedef struct variant_terms {
    const float *a, *b; /* b NULL: the first factor is squared */
    const float *add;   /* NULL: nothing is added */
    int64_t a_stride, b_stride;
} variant_terms;

/* The order depends on the variant and n only, so an element has the same bits in any part, row or
 * chunk. n = 0 gives 0. */
float variant_sum(const variant *v, const variant_terms *t, int64_t n);

enum { VARIANT_AT_ONCE = 16 };

/*
 * Computes VARIANT_AT_ONCE sums that share one factor: out[o] = sum of w[i * stride + o] * x[i]. Matrix products
 * consist of such sums. The order inside each sum is fixed, so vector instructions compute several sums side by side.
 */
typedef void (*variant_sums)(const variant *v, const float *w, int64_t stride, const float *x,
                             int64_t n, float *out);

/* The function for this processor; each of its sums has the bits of variant_sum. */
variant_sums variant_sums_here(void);

/* Computes any number of such sums: out[o] is the sum of w[i * stride + o] * x[i] over n rows i. */
void variant_sums_of_rows(const variant *v, const float *w, int64_t stride, int64_t n_sums,
                          const float *x, int64_t n, float *out);

#endif
