/* A matrix product, and the forms of its second factor b. */
#ifndef IFN_SIMD_GEMM_PRODUCT_H
#define IFN_SIMD_GEMM_PRODUCT_H

#include "gemm_tile.h"

static inline int64_t rounded_up(int64_t n, int64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/*
 * A source of panels, made from weights during the product. fill writes columns [col, col + n) of b,
 * elements [k, k + n_k) of each, to panel[n_k][width]; columns beyond n become 0. Steps over k are
 * multiples of k_unit. `at`, if not NULL, returns the address of a panel's elements from k on, which lie
 * end to end, two bytes each, so that they can be prefetched.
 */
typedef struct gemm_source {
    const ifn_tensor *w;
    int64_t k_unit;
    void (*fill)(const struct gemm_source *self, int64_t col, int n, int width, int64_t k,
                 int64_t n_k, float *panel);
    const uint16_t *(*at)(const struct gemm_source *self, int64_t col, int width, int64_t k);
} gemm_source;

/* The product out = a b (+ bias). Strides in elements. b is b_source or b_panels if one is set, else b_rows. */
typedef struct gemm {
    int64_t rows, cols, k;
    const float *a;
    int64_t a_stride;
    const float *b_rows; /* [k, cols] */
    int64_t b_stride;
    const float *b_panels;       /* [cols / PANEL][k][PANEL], then [k][VL] with zeros at the end */
    const gemm_source *b_source; /* b is its columns from first_col on */
    int64_t first_col;
    float *out;
    int64_t out_stride;
    const float *bias; /* [cols], or NULL; NULL with b_rows, which only matmul has */
    const ifn_call *call;
} gemm;

#endif
