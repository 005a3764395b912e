/*
 * A few rows of x times a packed weight of 2-byte elements (weight_panels.h), which are widened in
 * registers, right before the product. The chains are those of gemm_tile.h, so that few rows and many
 * have the same bits.
 */
#ifndef IFN_SIMD_HALF_ROWS_H
#define IFN_SIMD_HALF_ROWS_H

#include "gemm.h"
#include "gemm_tile.h"
#include "weight_panels.h"

enum {
    HALF_TILE = VEC_REGISTERS == 32 ? 8 : 4, /* rows that share one widening of an element */
    HALF_ROWS = 32 /* with more rows it is faster to widen a panel once and read it again */
};

/* Computes the product g, 1 <= rows <= HALF_ROWS, whose b_source is the packed weight. Reads the weight
 * once, 2 k cols bytes; does 2 rows k cols operations, and k cols / VL conversions per HALF_TILE. */
void IFN_GEMM_KERNEL(half_rows)(const gemm *g, const packed_halves *w);

#endif
