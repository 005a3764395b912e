/*
 * out = a b (+ bias) on the tiles of gemm_tile.h, with b in any of the forms that matmul and linear
 * have it in. Blocks keep what is read again in a cache: a few rows of a and a panel of b in L1, a
 * block of panels in L2. The scheme is that of K. Goto and R. van de Geijn, "Anatomy of
 * high-performance matrix multiplication", ACM TOMS 34(3), 2008.
 *
 * From beyond L2 come b once, a once per block of columns, and out, read and written once per step
 * of k. Those of a large product are fetched before they are wanted: b in long stretches, out and a
 * while the tiles before them multiply.
 */
#ifndef IFN_SIMD_GEMM_H
#define IFN_SIMD_GEMM_H

#include "gemm_tile.h"

/*
 * Weights that become panels on the way. fill writes columns [col, col + n) of b, elements
 * [k, k + n_k) of each, to panel[n_k][width]; what is beyond n becomes 0. Steps over k are
 * multiples of k_unit.
 */
typedef struct gemm_source {
    const ifn_tensor *w;
    int64_t k_unit;
    void (*fill)(const struct gemm_source *self, int64_t col, int n, int width, int64_t k,
                 int64_t n_k, float *panel);
} gemm_source;

/* Strides in elements. b is b_source or b_panels where one is there, else b_rows. */
typedef struct gemm {
    int64_t rows, cols, k;
    const float *a;
    int64_t a_stride;
    const float *b_rows; /* [k, cols] */
    int64_t b_stride;
    const float *b_panels;       /* [cols / PANEL][k][PANEL], then [k][VL] with zeros at the end */
    const gemm_source *b_source; /* its columns from first_col on */
    int64_t first_col;
    float *out;
    int64_t out_stride;
    const float *bias; /* [cols], or NULL */
    const ifn_call *call;
} gemm;

void IFN_KERNEL(gemm)(const gemm *g);

/* Scratch with which a product within these limits is fastest. With less, even none, it has the
 * same bits. */
size_t IFN_KERNEL(gemm_scratch_bytes)(const ifn_limits *max);

#endif
