/* One sum of products, in the order a variant has chosen. */
#ifndef CONFORM_VARIANT_SUM_H
#define CONFORM_VARIANT_SUM_H

#include <stdint.h>

typedef enum variant_order {
    ORDER_FORWARD,
    ORDER_BACKWARD,
    ORDER_SHUFFLED, /* a permutation of the seed and of n, and of nothing else */
    ORDER_PAIRWISE  /* halves of halves */
} variant_order;

enum { VARIANT_MAX_LANES = 16 };

typedef struct variant {
    variant_order order;
    int lanes;  /* accumulators that take turns, added as a tree: a power of two */
    int is_fma; /* a product joins its accumulator with one rounding */
    int is_f64; /* products and sum in f64, rounded once */
    uint64_t seed;
} variant;

/* The i-th term is (a[i * a_stride] + add[i]) * b[i * b_stride]. */
typedef struct variant_terms {
    const float *a, *b; /* b NULL: the first factor, squared */
    const float *add;   /* NULL: nothing is added */
    int64_t a_stride, b_stride;
} variant_terms;

/* The order depends on the variant and n only, so an element has the same bits in any part, row or
 * chunk. n = 0 gives 0. */
float variant_sum(const variant *v, const variant_terms *t, int64_t n);

#endif
