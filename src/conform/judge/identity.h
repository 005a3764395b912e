/*
 * Freivalds' identity: where every sum is exact, C = A B gives C r = A (B r) for any r. All outputs
 * of a large product are judged at the price of a few vectors (numerics 4.4).
 */
#ifndef CONFORM_IDENTITY_H
#define CONFORM_IDENTITY_H

#include <stdbool.h>

#include "slot.h"

/* One product of a case: out[row, feature] = sum_t x[row, t] w[feature, t] + bias[feature]. */
typedef struct conform_product {
    int out; /* tensor */
    int64_t rows, features, depth;
    int64_t out_stride;
    const float *bias; /* NULL: none */
    const conform_slot *slot;
    int x, w; /* tensors */
} conform_product;

/* The products of a slot on an exact lattice that are large enough for it; 0: none. */
int conform_products_of(const conform_slot *slot, conform_product out[IFN_LINEAR_MAX]);

/* The first element of `got` that is not what it must be; false: there is none, unless all of the
 * vectors missed it. */
bool conform_product_is_wrong(const conform_product *p, const float *got, conform_pool *pool,
                              int64_t *row, int64_t *feature, double *want);

#endif
