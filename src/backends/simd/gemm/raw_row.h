/*
 * One row of x times an F32 weight in the layout of the file: squares of VL rows by VL elements are
 * transposed and multiplied in registers. The chain of an element is that of gemm_tile.h, so that one
 * row and many, packed and raw weights have the same bits.
 *
 * Reads the weight once. Floor for a weight in a cache: the shuffles of the transposition, with 512 bits
 * 64 for 256 elements.
 */
#ifndef IFN_SIMD_RAW_ROW_H
#define IFN_SIMD_RAW_ROW_H

#include "gemm.h"
#include "map.h"
#include "vec_vocabulary.h"

/* sum + x w over `some` elements of VL rows, of which the first n exist. Inlined: `n` and `some` may be constants. */
IFN_INLINE vf raw_square(const float *row, int64_t stride, int n, const float *x, int some, vf sum)
{
    vf square[VL];
    for (int i = 0; i < VL; i++)
        square[i] = i < n ? vf_get(row + i * stride, some) : vf_zero();
    vf_transpose(square);
    for (int i = 0; i < some; i++)
        sum = vf_fma(vf_set(x[i]), square[i], sum);
    return sum;
}

/* The product g of one row, with columns of w. */
static inline void raw_row(const gemm *g, const ifn_tensor *w)
{
    const int64_t stride = w->shape[1];
    for (int64_t col = 0; col < g->cols; col += VL) {
        const float *const row = (const float *)w->data + (g->first_col + col) * stride;
        const int n = g->cols - col < VL ? (int)(g->cols - col) : VL;
        vf sum = vf_zero();
        int64_t k = 0;
        for (; n == VL && k + VL <= g->k; k += VL)
            sum = raw_square(row + k, stride, VL, g->a + k, VL, sum);
        for (; k < g->k; k += VL)
            sum =
                raw_square(row + k, stride, n, g->a + k, g->k - k < VL ? (int)(g->k - k) : VL, sum);
        if (g->bias)
            sum = vf_add(sum, vf_get(g->bias + col, n));
        vf_put(g->out + col, sum, n);
    }
}

#endif
