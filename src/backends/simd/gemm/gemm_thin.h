/*
 * Products of few rows, which read b once and are bound by memory. An element is the chain of
 * gemm_tile.h; out holds its sum between steps over k.
 */
#ifndef IFN_SIMD_GEMM_THIN_H
#define IFN_SIMD_GEMM_THIN_H

#include "gemm_product.h"

/* Computes g and returns 1 if it is such a product, else returns 0. */
int IFN_KERNEL(gemm_thin)(const gemm *g);

#endif
