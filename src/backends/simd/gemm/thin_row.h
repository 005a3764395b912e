/*
 * One row by b as it lies, larger than a cache: a stretch of out, in L1, gains some rows of b at a
 * time, each a stream that a core follows by itself. An element is the chain of gemm_tile.h.
 *
 * Floor: reading b once.
 */
#ifndef IFN_SIMD_THIN_ROW_H
#define IFN_SIMD_THIN_ROW_H

#include <stdbool.h>

#include "gemm_product.h"
#include "map.h"
#include "min_max.h"

enum { ROW_STREAMS = 4, ROW_STRETCH = 1024 /* columns; both by measurement */ };

/* out = (out +) x b of n columns, a vector or less. */
IFN_INLINE void add_rows(const int rows, int n, const vf *x, const float *b, int64_t b_stride,
                         bool continues, float *out)
{
    vf sum = continues ? vf_get(out, n) : vf_zero();
    for (int i = 0; i < rows; i++)
        sum = vf_fma(x[i], vf_get(b + i * b_stride, n), sum);
    vf_put(out, sum, n);
}

/* Inlined: rows is a constant. */
IFN_INLINE void add_stretch(const int rows, const float *a, const float *b, int64_t b_stride,
                            bool continues, float *out, int64_t cols)
{
    vf x[ROW_STREAMS];
    for (int i = 0; i < rows; i++)
        x[i] = vf_set(a[i]);
    int64_t j = 0;
    for (; j + 2 * VL <= cols; j += 2 * VL) {
        add_rows(rows, VL, x, b + j, b_stride, continues, out + j);
        add_rows(rows, VL, x, b + j + VL, b_stride, continues, out + j + VL);
    }
    for (; j < cols; j += VL)
        add_rows(rows, (int)ifn_min(VL, cols - j), x, b + j, b_stride, continues, out + j);
}

/* The first stretch has `first` columns, or none. */
static void thin_row(const gemm *g, int64_t first)
{
    for (int64_t col = 0, cols = first; col < g->cols;
         col += cols, cols = ifn_min(ROW_STRETCH, g->cols - col)) {
        const float *const b = g->b_rows + col;
        int64_t k = 0;
        for (; k + ROW_STREAMS <= g->k; k += ROW_STREAMS)
            add_stretch(ROW_STREAMS, g->a + k, b + k * g->b_stride, g->b_stride, k > 0,
                        g->out + col, cols);
        for (; k < g->k; k++)
            add_stretch(1, g->a + k, b + k * g->b_stride, g->b_stride, k > 0, g->out + col, cols);
    }
}

#endif
