/*
 * out = a b (+ bias) on the tiles of gemm_tile.h, with b in any of the forms that matmul and linear
 * have it in. Blocking keeps data that is read again in a cache: a few rows of a and a panel of b in L1,
 * a block of panels in L2. The scheme is that of K. Goto and R. van de Geijn, "Anatomy of
 * high-performance matrix multiplication", ACM TOMS 34(3), 2008.
 *
 * Traffic beyond L2: b is read once, a once per block of columns, and out is read and written once per
 * step of k. In a large product they are prefetched: b in long stretches, out and a while the tiles
 * before them multiply. Rows of a that are far apart are copied side by side: in place, they would map to
 * the same few sets of L1.
 */
#ifndef IFN_SIMD_GEMM_H
#define IFN_SIMD_GEMM_H

#include "gemm_product.h"

void IFN_GEMM_KERNEL(gemm)(const gemm *g);

/* Bytes of scratch with which a product within these limits is fastest. With less, or none, the bits are
 * the same. */
size_t IFN_GEMM_KERNEL(gemm_scratch_bytes)(const ifn_limits *max);

#endif
