/*
 * The register tiles of a product: some rows by some vectors of accumulators that stay in registers
 * while k runs upwards. An element of the product is one chain of vf_fma over ascending k, begun
 * with +0 or with what smaller k have left in out. All of matmul and linear is made of these tiles,
 * so whatever way a product is cut, an element has the same bits.
 *
 * Rounding depth h(k) = k: with FMA one rounding per term, without it one for the product of a term
 * and one for each sum after it; the first sum, with 0, is exact.
 */
#ifndef IFN_SIMD_GEMM_TILE_H
#define IFN_SIMD_GEMM_TILE_H

#include <stdbool.h>

#include "level.h"

enum {
    LINE_FLOATS = LINE_BYTES / (int)sizeof(float),
    PANEL = 2 * VL, /* columns of b that lie side by side in a panel */
    /* As many as leave registers for two vectors of b and one element of a. */
    TILE_ROWS = VEC_REGISTERS == 32 ? 14 : 6,
    /* Elements of k in one step: rows of a stay in L1 while panels pass through it. */
    GEMM_K = 512,
    /* The same where panels are made on the way, whole blocks of every dtype: a panel, too. */
    SOURCE_K = 256,
    /* Rows of a that are copied stand this far apart: never all in the same sets of a cache. */
    COPY_STRIDE = GEMM_K + 16
};

/* Columns of the next panel, of `left` that are left. */
static inline int panel_width(int64_t left)
{
    return left >= PANEL ? PANEL : VL;
}

/* Lines that lie end to end. */
typedef struct gemm_fetch {
    const char *at;
    int lines;
} gemm_fetch;

/* What all tiles of one step share. Strides in elements. */
typedef struct gemm_step {
    int64_t a_stride, b_stride, out_stride;
    int64_t panel_stride; /* from the columns of one panel to those of the next */
    int64_t ahead;        /* how far from b the line lies that will be wanted soon */
    int64_t k;
    /* Tiles of a copy may fetch what comes after them: the place of the next one in out,
     * so many lines of each of the rows of a that come next, and weights. */
    bool fetches;
    const float *next_out, *below;
    int below_lines;
    int64_t below_stride;
    gemm_fetch weights;
    int continues; /* out holds the sums over smaller k */
} gemm_step;

/**
 * out = (out +) a b (+ bias)
 *
 * bias  of these columns, added after the last term; or NULL
 * keep  receives the rows of b as they are read, end to end; NULL where nothing is to be kept
 * n     columns of the last vector
 */
typedef void gemm_tile_fn(const gemm_step *s, const float *a, const float *b, float *out,
                          const float *bias, float *keep, int n);

/*
 * The widest tile, in vectors. With few rows it spans panels, so that there are chains enough to
 * hide how long one addition takes.
 */
static inline int gemm_tile_vectors(int rows)
{
    return rows == 1 ? 8 : rows == 2 || (rows == 3 && VEC_REGISTERS == 32) ? 4 : 2;
}

/* 1 <= rows <= TILE_ROWS; vectors: 2, 1 or the widest. */
gemm_tile_fn *IFN_KERNEL(gemm_tile)(int rows, int vectors);
/* Of a copy of a, two vectors: what large products are made of. */
gemm_tile_fn *IFN_KERNEL(gemm_tile_copied)(int rows);
/* One vector, whose columns 0 .. n - 1 are there. */
gemm_tile_fn *IFN_KERNEL(gemm_tile_tail)(int rows);
/* TILE_ROWS rows and two vectors, or one, or its first n columns; these keep b. */
gemm_tile_fn *IFN_KERNEL(gemm_tile_keep)(int vectors, bool is_tail);

#endif
