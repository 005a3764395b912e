/*
 * Freivalds' check: where every sum is exact, C = A B implies C r = A (B r) for any vector r. So a few random vectors
 * judge all outputs of a large product at the price of a few matrix-vector products (numerics 4.4).
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

/* Finds the products of a slot that are exact (on the lattice) and large enough for this check. Returns their
 * number. */
int conform_products_of(const conform_slot *slot, conform_product out[IFN_LINEAR_MAX]);

/* Finds the first wrong element of `got`. Returns false if all are right, or if every vector missed the wrong ones. */
bool conform_product_is_wrong(const conform_product *p, const float *got, conform_pool *pool,
                              int64_t *row, int64_t *feature, double *want);

#endif
