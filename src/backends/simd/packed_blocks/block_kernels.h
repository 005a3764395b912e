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
 * others, in any part, from packed or from raw weights. An offset is taken off inside the integers:
 * the sum of products begins with -offset times the sum of the activation codes. Rounding depth:
 * one per block, and at most four inside one: k / 32 + 5, within h_q of numerics 8.1.
 */
#ifndef IFN_Q8_KERNELS_H
#define IFN_Q8_KERNELS_H

#include "block_format.h"
#include "level.h"

/* Columns of activations that a tile carries at once; its rows are those of two panels. */
enum {
    Q8_TILES = 6,
    Q8_FEW = 8,                                 /* of one panel */
    Q8_COLUMNS = VEC_REGISTERS == 32 ? 6 : 4,   /* formats with one scale per block of 32 */
    Q8_COLUMNS_2 = VEC_REGISTERS == 32 ? 4 : 3, /* formats with two */
    Q8_STREAMS = 4, /* panels side by side, at most, where a core reads several streams best */
    Q8_STREAMS_AHEAD = 32 * VEC_BYTES, /* from what is multiplied to what is fetched, of each */
    Q8_STREAM_AHEAD = 8 << 10 /* the same of one stream: within L1, further than a core looks */
};

/* How many panels lie side by side for so many columns, whose sums registers should hold. The pieces
 * of more than Q8_FEW columns, 4 to 8 each, have as many. */
static inline int ifn_q8_streams(int columns)
{
    return columns == 1 || (columns < 4 && VEC_REGISTERS == 32) ? Q8_STREAMS : Q8_STREAMS / 2;
}

/* What a kernel needs of a block of activations beside d and the codes, one word per group: the
 * integer -offset * S, or for formats with minima the float S. */
typedef union ifn_q8_word {
    int32_t start;
    float sum;
} ifn_q8_word;

/* Activations of a tile: columns x_stride blocks apart; words are [block][group][column]. */
typedef struct ifn_q8_columns {
    const ifn_block_q8_32f *x;
    int64_t x_stride;
    const ifn_q8_word *words;
} ifn_q8_columns;

/* Weights of a tile: unpacked codes and scales of one panel. */
typedef struct ifn_q8_panel {
    const uint8_t *codes;
    const float *scale, *shift, *min;
} ifn_q8_panel;

/* Packed panels, `stride` bytes from one to the next. */
typedef struct ifn_q8_panels {
    const uint8_t *panel;
    size_t stride;
    int64_t n_blocks;
} ifn_q8_panels;

typedef void ifn_q8_few_fn(const ifn_q8_panels *w, const ifn_q8_columns *x, float *sums);

typedef struct ifn_q8_kernels {
    int columns; /* the most a tile takes */
    /* few[c - 1]: sums[c][VL] = one packed panel times c columns. */
    ifn_q8_few_fn *few[Q8_FEW];
    /* streams[c - 1]: sums[ifn_q8_streams(c)][c][VL] = so many packed panels times c columns. */
    ifn_q8_few_fn *streams[Q8_FEW];
    /* Unpacks the n blocks of a chunk; codes that are bytes are left where they lie. */
    void (*unpack)(const uint8_t *packed, int64_t n, ifn_q8_chunk *out);
    /* tile[c - 1]: sums[c][2 * VL] += n blocks of two panels times c columns. */
    void (*tile[Q8_TILES])(const ifn_q8_panel w[2], const ifn_q8_columns *x, int64_t n,
                           float *sums);
} ifn_q8_kernels;

/* NULL for a dtype that is not quantized. */
const ifn_q8_format *IFN_KERNEL(q8_format_of)(ifn_dtype dtype);
/* Of a dtype that has a format. */
const ifn_q8_kernels *IFN_KERNEL(q8_kernels_of)(ifn_dtype dtype);

/* Blocks [from, from + n) of weight rows row .. row + VL - 1 as they lie in the file; rows after
 * the last are zeros. `from` is a multiple of the unit, n at most Q8_CHUNK. */
void IFN_KERNEL(q8_unpack_raw)(const ifn_q8_format *f, const ifn_tensor *w, int64_t row,
                               int64_t from, int64_t n, ifn_q8_chunk *out);

extern const ifn_simd_packing IFN_KERNEL(q8_packing);

#endif
