/*
 * The vector backend. A level is an instruction set with its kernels; simd.c overlays the tables of
 * all levels the processor has, weakest first, so each op runs on the best level that has it.
 *
 * One order. At one level every path of an op (one row, few, many, any part, raw or packed weights)
 * adds the terms of an element in the same order: R1, R2 and R3 of spec/numerics.md hold bit for
 * bit.
 */
#ifndef IFN_SIMD_H
#define IFN_SIMD_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/backend.h>

/* A layout of weights that an op of a level reads faster than the layout of the file. */
typedef struct ifn_simd_packing {
    /* Bytes of the packed form of w; 0: the raw rows serve these uses as well. */
    size_t (*bytes)(const ifn_tensor *w, uint32_t uses);
    /* Writes the packed form; out is aligned to 64 bytes. */
    void (*pack)(const ifn_tensor *w, void *out);
    /* Decodes a packed row to f32, with the bits of numerics 8.1: w->shape[1] elements. */
    void (*row)(const ifn_tensor *w, const void *packed, int64_t row, float *out);
} ifn_simd_packing;

/* The target of ifn_packed.data: a weight's packed forms, NULL if it has none. */
typedef struct ifn_simd_weight {
    const void *linear, *linear_q8;
    const ifn_simd_packing *packing; /* of `rows`, the form that gather_rows reads */
    const void *rows;
} ifn_simd_weight;

typedef struct ifn_simd_level {
    const char *name;
    uint64_t needs;                             /* features: IFN_CPU_LEVEL_* */
    ifn_op_table ops;                           /* empty slots inherit */
    const ifn_simd_packing *linear, *linear_q8; /* NULL: raw weights only */
    /* Where a call of an op of this level may be cut (NULL: anywhere), and the scratch that one lane
     * needs (NULL: none). */
    int64_t (*granule)(ifn_op op, int axis, const ifn_call *args);
    size_t (*scratch_bytes)(const ifn_limits *max);
} ifn_simd_level;

extern const ifn_backend_desc ifn_backend_simd;

/* The packed form in an op's argument `packed`, or NULL. */
static inline const void *ifn_simd_packed_linear(const void *packed)
{
    return packed ? ((const ifn_simd_weight *)packed)->linear : NULL;
}

static inline const void *ifn_simd_packed_linear_q8(const void *packed)
{
    return packed ? ((const ifn_simd_weight *)packed)->linear_q8 : NULL;
}

#endif
