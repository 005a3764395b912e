/*
 * The inner kernels of linear_q8, one set per weight format.
 *
 * One order. For each block of 32 activations, in ascending order, an output element does
 *
 *     t = scale_0 * I_0;  t = fma(scale_1, I_1, t)      one term per group; I: exact integers
 *     t = fma(min_g, S_g, t)                            where there are minima; S: sums of codes
 *     sum = fma(d_x, t, sum)
 *
 * in every kernel here (without FMA: two roundings each). So a row has the same bits alone or among
 * others, in any part, from packed or from raw weights. An offset is subtracted inside the integers:
 * the sum of products begins with -offset times the sum of the activation codes. Rounding depth:
 * one per block, and at most four inside one: k / 32 + 5, within h_q of numerics 8.1.
 */
#ifndef IFN_Q8_KERNELS_H
#define IFN_Q8_KERNELS_H

#include "block_operands.h"
#include "cpu_streams.h"
#include "level.h"

typedef void ifn_q8_tile_fn(const ifn_q8_panel w[2], const ifn_q8_columns *x, int64_t n,
                            float *sums);
typedef void ifn_q8_few_fn(const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums);

typedef struct ifn_q8_kernels {
    int columns; /* the most columns of a tile */
    /* few[streams][c - 1]: sums[c][VL] = one packed panel times c columns, or, with several streams,
     * sums[ifn_q8_streams(c)][c][VL] = as many panels as there are streams. */
    ifn_q8_few_fn *few[IFN_STREAMS_COUNT][Q8_FEW];
    /* Unpacks the n blocks of a chunk; codes that are bytes already are read in place instead. */
    void (*unpack)(const uint8_t *packed, int64_t n, ifn_q8_chunk *out);
    /* tile[c - 1]: sums[c][2 * VL] += n blocks of two panels times c columns. */
    ifn_q8_tile_fn *tile[Q8_TILES];
} ifn_q8_kernels;

/* Tiles on codes that are shorts; `widen` makes the shorts from the codes of n blocks. */
typedef struct ifn_q8_short_kernels {
    void (*widen)(const uint8_t *codes, int64_t n, uint8_t *shorts);
    ifn_q8_tile_fn *tile[Q8_TILES];
} ifn_q8_short_kernels;

/* Kernels of strips of rows, on levels with tile registers; call open before the others, close after them. */
typedef struct ifn_q8_strip_kernels {
    void (*open)(int depth); /* activations of a group */
    void (*close)(void);
    /* Like `unpack` of ifn_q8_kernels, but writes signed codes to the chunk, for every format. */
    void (*unpack_signed)(const uint8_t *packed, int64_t n, ifn_q8_chunk *out);
    /* Subtracts the offset from the codes of n blocks. */
    void (*make_signed)(const ifn_q8_format *f, uint8_t *codes, int64_t n);
    /* sums[Q8_STRIP][2 * VL]: the first VL of each += n blocks of the panel times the strip, or = the first. */
    void (*multiply)(const ifn_q8_panel *w, const ifn_q8_strip_block *x, int64_t n, bool is_first,
                     float *sums);
} ifn_q8_strip_kernels;

/* NULL for a dtype that is not quantized. */
const ifn_q8_format *IFN_Q8_KERNEL(q8_format_of)(ifn_dtype dtype);
/* For a dtype that has a format. */
const ifn_q8_kernels *IFN_Q8_KERNEL(q8_kernels_of)(ifn_dtype dtype);

/* NULL for a dtype of less than 8 bits, and if the level has no shorts. */
const ifn_q8_short_kernels *IFN_Q8_KERNEL(q8_short_kernels_of)(ifn_dtype dtype);

/* For a dtype that has a format, on a level with tile registers. */
const ifn_q8_strip_kernels *IFN_KERNEL(q8_strip_kernels_of)(ifn_dtype dtype);

/* Unpacks blocks [from, from + n) of raw weight rows row .. row + VL - 1; rows after the last are
 * zeros. `from` is a multiple of the unit, n at most Q8_CHUNK. */
void IFN_Q8_KERNEL(q8_unpack_raw)(const ifn_q8_format *f, const ifn_tensor *w, int64_t row,
                                  int64_t from, int64_t n, ifn_q8_chunk *out);

/* Bytes of shorts or strips that linear_q8 keeps in the scratch; 0 if the level has neither. */
size_t IFN_KERNEL(linear_q8_scratch_bytes)(const ifn_limits *max);

extern const ifn_simd_packing IFN_Q8_KERNEL(q8_packing);

#endif
