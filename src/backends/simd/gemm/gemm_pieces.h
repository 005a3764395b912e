/* Shares rows and columns of a product out among tiles. */
#ifndef IFN_SIMD_GEMM_PIECES_H
#define IFN_SIMD_GEMM_PIECES_H

#include "gemm_tile.h"

/* Columns for one tile. */
typedef struct gemm_piece {
    int vectors, n, is_tail;
} gemm_piece;

static inline gemm_piece next_piece(int rows, int64_t left)
{
    const int widest = gemm_tile_vectors(rows);
    if (left >= widest * VL)
        return (gemm_piece){widest, widest * VL, 0};
    if (left >= PANEL)
        return (gemm_piece){2, PANEL, 0};
    if (left >= VL)
        return (gemm_piece){1, VL, 0};
    return (gemm_piece){1, (int)left, 1};
}

static inline gemm_tile_fn *tile_of(int rows, gemm_piece piece)
{
    return piece.is_tail ? IFN_KERNEL(gemm_tile_tail)(rows)
                         : IFN_KERNEL(gemm_tile)(rows, piece.vectors);
}

/* How many rows the next tile takes: all tiles have nearly the same height. */
static inline int next_rows(int64_t left)
{
    const int64_t tiles = (left + TILE_ROWS - 1) / TILE_ROWS;
    return (int)((left + tiles - 1) / tiles);
}

#endif
