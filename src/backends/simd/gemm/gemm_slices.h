/*
 * out = a b (+ bias) for a weight b of bf16, by products of bf16, on levels whose tile registers make them.
 *
 * A float has 24 significant bits, three times the 8 of a bf16. So it is the exact sum of three bf16, its slices: the
 * upper 16 bits of it, of what is left, and of what is left then. The product of a slice and a weight is exact in f32, and
 * all three add up to that of the float: nothing is left out, and only sums are rounded. K. Ozaki et al., "Error-free
 * transformations of matrix multiplication by using fast routines of matrix multiplication and its applications", Numerical
 * Algorithms 59, 2012; G. Henry, P. T. P. Tang, A. Heinecke, "Leveraging the bfloat16 artificial intelligence datatype for
 * higher-precision computations", ARITH 2019.
 *
 * The order of a sum: steps of 32 elements ascend; in a step, the last slice comes first; even and odd elements apart, as
 * the instruction adds them. Rounding depth: 16 in a step, and one addition for each step and slice, h(k) = 16 +
 * 3 ceil(k / 32), which is below k from SLICED_K on.
 *
 * The instruction takes subnormals for zeros. Where a slice, a product or a sum may be one, the same sums are made in
 * vectors, in the same order. So are those of a single row, which read b from end to end at the speed of memory.
 *
 * Floor: 3 rows k cols / 512 cycles, as an instruction makes 8192 products in 16. 1024 x 3072 on a Xeon of the fifth
 * generation, GFLOP/s with FMA and with tiles: 16 rows 180 and 360, 128 rows 200 and 590, 512 rows 190 and 530.
 */
#ifndef IFN_SIMD_GEMM_SLICES_H
#define IFN_SIMD_GEMM_SLICES_H

#include "bf16_pairs.h"

enum { SLICED_K = 64 /* products of fewer elements are those of gemm_tile.h */ };

/* A product, whose b_source is a weight of bf16: the source of `w` if that is packed, else a raw one. */
typedef struct sliced_product {
    gemm g;
    packed_pairs w;
} sliced_product;

/* Computes n products with rows, k, a and a_stride in common, k >= SLICED_K; first_col of a packed weight is that of a
 * panel. */
void IFN_KERNEL(gemm_slices)(const sliced_product *p, int n);

/* Bytes of scratch with which products within these limits are fastest. With less, or none, the bits are the same. */
size_t IFN_KERNEL(gemm_slices_scratch_bytes)(const ifn_limits *max);

#endif
