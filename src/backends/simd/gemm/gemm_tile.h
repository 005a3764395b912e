/*
 * The register tiles of a product: some rows by some vectors of accumulators that stay in registers
 * while k ascends. An element of the product is one chain of vf_fma over ascending k that begins
 * with +0, or with the sum over smaller k in out. All of matmul and linear consists of these tiles,
 * so an element has the same bits however a product is cut.
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
    /* The accumulators leave registers for two vectors of b and one element of a. */
    TILE_ROWS = VEC_REGISTERS == 32 ? 14 : 6,
    /* Elements of k in one step: rows of a stay in L1 while panels pass through it. */
    GEMM_K = 512,
    /* The same for panels that are made from a source: whole blocks of every dtype; such a panel stays in L1, too. */
    SOURCE_K = 256,
    /* The distance of copied rows of a, in elements: never all in the same sets of a cache. */
    COPY_STRIDE = GEMM_K + 16
};

/* Columns of the next panel, if `left` columns are left. */
static inline int panel_width(int64_t left)
{
    return left >= PANEL ? PANEL : VL;
}

/* Contiguous cache lines to prefetch. */
typedef struct gemm_fetch {
    const char *at;
    int lines;
} gemm_fetch;

/* Parameters that all tiles of one step share. Strides in elements. */
typedef struct gemm_step {
    int64_t a_stride, b_stride, out_stride;
    int64_t panel_stride; /* from the columns of one panel to those of the next */
    int64_t ahead;        /* prefetch distance from b */
    int64_t k;
    /* Tiles on copied rows may prefetch for the tiles after them: the next tile's place in out,
     * below_lines lines of each of the next rows of a, and weights. */
    bool fetches;
    const float *next_out, *below;
    int below_lines;
    int64_t below_stride;
    gemm_fetch weights;
    int continues; /* 1: out already holds the sums over smaller k */
} gemm_step;

/**
 * out = (out +) a b (+ bias)
 *
 * bias  of these columns, added after the last term; or NULL
 * keep  receives the rows of b as they are read, end to end; NULL: nothing is kept
 * n     columns of the last vector
 */
typedef void gemm_tile_fn(const gemm_step *s, const float *a, const float *b, float *out,
                          const float *bias, float *keep, int n);

/*
 * The widest tile, in vectors. With few rows it spans several panels, so that there are enough
 * independent chains to hide the latency of an addition.
 */
static inline int gemm_tile_vectors(int rows)
{
    return rows == 1 ? 8 : rows == 2 || (rows == 3 && VEC_REGISTERS == 32) ? 4 : 2;
}

/* 1 <= rows <= TILE_ROWS; vectors: 2, 1 or the widest. */
gemm_tile_fn *IFN_KERNEL(gemm_tile)(int rows, int vectors);
/* Two vectors, on copied rows of a: the tile of large products. */
gemm_tile_fn *IFN_KERNEL(gemm_tile_copied)(int rows);
/* One vector, of which only columns 0 .. n - 1 exist. */
gemm_tile_fn *IFN_KERNEL(gemm_tile_tail)(int rows);
/* TILE_ROWS rows by two vectors, by one, or by the first n columns of one; these fill `keep`. */
gemm_tile_fn *IFN_KERNEL(gemm_tile_keep)(int vectors, bool is_tail);

#endif
