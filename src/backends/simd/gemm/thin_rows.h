/*
 * One to three rows times b in rows, larger than a cache: adds a few rows of b at a time to out, which
 * stays in a cache. Each row of b is a stream that the hardware prefetcher follows. An element is the
 * chain of gemm_tile.h.
 *
 * Floor: reading b once. One row of 1024 x 3072 on Sapphire Rapids, out of L3: 28 GB/s; in
 * stretches of 1024 columns 24, and down columns in registers 21.
 */
#ifndef IFN_SIMD_THIN_ROWS_H
#define IFN_SIMD_THIN_ROWS_H

#include <stdbool.h>

#include "gemm_product.h"
#include "map.h"
#include "min_max.h"

enum {
    STREAMS = 4,                                 /* rows of b at a time, by measurement */
    STREAMED_ROWS = VEC_REGISTERS == 32 ? 3 : 2, /* with more rows, thin_columns.h is faster */
    STRETCH = 1 << 14                            /* columns whose out stays in L2 */
};

/* Updates a vector of columns, or its first n, in all rows. Inlined: rows and streams are constants. */
IFN_INLINE void add_vector(const int rows, const int streams, int n, const vf *x, const float *b,
                           int64_t b_stride, bool continues, float *out, int64_t out_stride)
{
    vf w[STREAMS];
    for (int i = 0; i < streams; i++)
        w[i] = vf_get(b + i * b_stride, n);
    for (int r = 0; r < rows; r++, out += out_stride) {
        vf sum = continues ? vf_get(out, n) : vf_zero();
        for (int i = 0; i < streams; i++)
            sum = vf_fma(x[r * STREAMS + i], w[i], sum);
        vf_put(out, sum, n);
    }
}

/* out = (out +) a b, over `streams` elements of k. */
IFN_INLINE void add_streams(const int rows, const int streams, const gemm *g, int64_t k,
                            int64_t col, int64_t cols)
{
    const float *const a = g->a + k, *const b = g->b_rows + k * g->b_stride + col;
    float *const out = g->out + col;
    vf x[STREAMED_ROWS * STREAMS];
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < streams; i++)
            x[r * STREAMS + i] = vf_set(a[r * g->a_stride + i]);
    int64_t j = 0;
    for (; j + VL <= cols; j += VL)
        add_vector(rows, streams, VL, x, b + j, g->b_stride, k > 0, out + j, g->out_stride);
    if (j < cols)
        add_vector(rows, streams, (int)(cols - j), x, b + j, g->b_stride, k > 0, out + j,
                   g->out_stride);
}

/* Goes through the columns in stretches; the first has `first` columns, if that is not 0. */
IFN_INLINE void multiply_streamed(const int rows, const gemm *g, int64_t first)
{
    for (int64_t col = 0, cols = first > 0 ? first : ifn_min(STRETCH, g->cols); col < g->cols;
         col += cols, cols = ifn_min(STRETCH, g->cols - col)) {
        int64_t k = 0;
        for (; k + STREAMS <= g->k; k += STREAMS)
            add_streams(rows, STREAMS, g, k, col, cols);
        for (; k < g->k; k++)
            add_streams(rows, 1, g, k, col, cols);
    }
}

/* Computes a product of at most STREAMED_ROWS rows. */
static void thin_rows(const gemm *g, int64_t first)
{
    if (g->rows == 1)
        multiply_streamed(1, g, first);
    else if (g->rows == 2)
        multiply_streamed(2, g, first);
    else
        multiply_streamed(STREAMED_ROWS, g, first);
}

#endif
