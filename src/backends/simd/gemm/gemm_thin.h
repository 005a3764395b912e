/*
 * Products of few rows, which read b once: the time is that of memory. An element is the chain of
 * gemm_tile.h; its sum waits in out between steps over k.
 */
#ifndef IFN_SIMD_GEMM_THIN_H
#define IFN_SIMD_GEMM_THIN_H

#include "gemm_product.h"

/* Whether g is such a product, and has been computed. */
int IFN_KERNEL(gemm_thin)(const gemm *g);

#endif
