/*
 * Weights as panels for gemm.h. A row of a file's weight is a column of b, so panels are made by
 * turning squares of VL rows and VL elements, in registers; other types than F32 become f32 first,
 * a stretch of VL rows at a time.
 */
#ifndef IFN_SIMD_WEIGHT_PANELS_H
#define IFN_SIMD_WEIGHT_PANELS_H

#include "gemm.h"

/* The weight as it lies in the file. */
gemm_source IFN_KERNEL(weight_source)(const ifn_tensor *w);

/* F32 packs into panels as gemm.h has them, F16 and BF16 into the same panels of 2-byte elements,
 * to be widened when they are read; other types into none. */
extern const ifn_simd_packing IFN_KERNEL(weight_packing);

/* A packed F16 or BF16 weight. */
typedef struct packed_halves {
    gemm_source source; /* first */
    const uint16_t *panels;
} packed_halves;

packed_halves IFN_KERNEL(packed_halves)(const ifn_tensor *w, const void *packed);

#endif
