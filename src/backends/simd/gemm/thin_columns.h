/*
 * Products of few rows with b in rows, larger than a cache. Tiles run down all of k, as wide as the
 * registers that hold their sums allow: each row of b is read in pieces of two cache lines or more, and
 * out is written once. An element is the chain of gemm_tile.h.
 *
 * Floor: reading b once, or 2 rows k cols operations. Zen 5, one thread, b of 1024 x 3072 in L3:
 * 98 us to read it, 22 us of operations a row; measured: 133 for 4 rows, 210 for 8.
 */
#ifndef IFN_SIMD_THIN_COLUMNS_H
#define IFN_SIMD_THIN_COLUMNS_H

#include "gemm_product.h"
#include "gemm_tile.h"

enum {
    THIN_WIDTH = 2 * LINE_FLOATS, /* least columns of a tile: rows of b lie far apart */
    THIN_SUMS = VEC_REGISTERS == 32 ? 28 : 12,
    /* The most rows of a tile that is two lines wide and has three vectors per element of a. */
    THIN_ROWS = 3 * VL >= THIN_WIDTH ? THIN_SUMS / 3 : THIN_SUMS * VL / THIN_WIDTH,
    /* The most rows of two tiles, one after the other, where reading b twice takes less time than the operations. */
    THIN_MOST = 3 * VL >= THIN_WIDTH ? 2 * THIN_ROWS : THIN_ROWS
};

/* Computes the columns from `first` on of a product of 3 to THIN_MOST rows by b_rows, except those at the end
 * that fill no tile; returns the first of these. */
int64_t IFN_KERNEL(thin_columns)(const gemm *g, int64_t first);

#endif
