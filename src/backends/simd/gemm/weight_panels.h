/*
 * Makes panels of weights for gemm.h. A row of a weight in the file is a column of b, so squares of VL
 * rows by VL elements are transposed in registers; other types than F32 are decoded to f32 first, VL rows
 * at a time.
 */
#ifndef IFN_SIMD_WEIGHT_PANELS_H
#define IFN_SIMD_WEIGHT_PANELS_H

#include "dequantize_row.h"
#include "gemm.h"
#include "gemm_tile.h"
#include "turn.h"

/* `turn` (turn.h) for rows of any dtype: elements [k, k + n_k) of VL rows, `row_bytes` apart, of which n
 * exist; n_k is at most SOURCE_K, unless they are F32. */
static inline void turn_rows(ifn_dtype dtype, const uint8_t *row, size_t row_bytes, int64_t n,
                             int64_t k, int64_t n_k, float *panel, int width)
{
    float rows[VL * SOURCE_K];
    row += ifn_dtype_row_bytes(dtype, k);
    if (dtype == IFN_DTYPE_F32) {
        turn((const float *)(const void *)row, (int64_t)(row_bytes / sizeof(float)), n, n_k, panel,
             width);
        return;
    }
    for (int64_t r = 0; r < n && r < VL; r++, row += row_bytes)
        (void)ifn_dequantize_row_simd(dtype, row, rows + r * SOURCE_K, n_k);
    turn(rows, SOURCE_K, n, n_k, panel, width);
}

/* A source that reads the raw weight. */
gemm_source IFN_GEMM_KERNEL(weight_source)(const ifn_tensor *w);

/* Packs F32 into the panels of gemm.h, F16 and BF16 into the same panels of 2-byte elements, which are
 * widened when they are read; other types are not packed. */
extern const ifn_simd_packing IFN_GEMM_KERNEL(weight_packing);

/* A packed F16 or BF16 weight. */
typedef struct packed_halves {
    gemm_source source; /* first */
    const uint16_t *panels;
} packed_halves;

packed_halves IFN_GEMM_KERNEL(packed_halves)(const ifn_tensor *w, const void *packed);

#endif
