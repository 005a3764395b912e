/* What the kernels of packed blocks multiply: columns of activations, panels of weights, and how many at once. */
#ifndef IFN_SIMD_BLOCK_OPERANDS_H
#define IFN_SIMD_BLOCK_OPERANDS_H

#include "block_format.h"

/* Columns of activations that a tile carries at once; its rows are those of two panels. */
enum {
    Q8_TILES = 6,
    Q8_FEW = 8,                                 /* of one panel */
    Q8_COLUMNS = VEC_REGISTERS == 32 ? 6 : 4,   /* formats with one scale per block of 32 */
    Q8_COLUMNS_2 = VEC_REGISTERS == 32 ? 4 : 3, /* formats with two */
    Q8_STREAMS = 4, /* panels side by side, at most, where a core reads several streams best */
    Q8_STREAMS_AHEAD = 32 * VEC_BYTES, /* from what is multiplied to what is fetched, of each */
    Q8_AHEAD = 8192,                   /* the same, of a single stream that is fetched */
    Q8_SLOW = 6,       /* columns whose dots take longer than the bytes of one panel */
    Q8_L2_AHEAD = 8192 /* what is fetched then, bytes from what is multiplied */
};

/*
 * Where the level has shorts, codes of 8 bits become those for many rows: weights chunk by chunk,
 * activations once for a pass, which has as many rows as there is room for in the scratch. A block of 32
 * activations is 16 even shorts and then 16 odd ones; a block of weights is, for each of its eight vectors,
 * a vector of even shorts and one of odd ones.
 */
enum { Q8_SHORTS_BLOCK = 2 * Q8_CODE_BYTES, Q8_SHORTS_CHUNK = Q8_CHUNK * Q8_SHORTS_BLOCK };

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
    const int16_t *shorts; /* the same codes, where a tile is of shorts */
    int64_t shorts_stride; /* of columns, in shorts */
} ifn_q8_columns;

/* A block of each row of a strip, rows that activations lack being zeros. Where the level has tile registers,
 * many rows are strips of so many, which lie in the scratch once for a pass. */
enum { Q8_STRIP = 16 };
typedef struct ifn_q8_strip_block {
    int8_t qs[Q8_STRIP][32];
    float d[Q8_STRIP];
    float sum[2][Q8_STRIP]; /* of the codes of a group, for formats with minima */
} ifn_q8_strip_block;

/* Weights of a tile: unpacked codes and scales of one panel. */
typedef struct ifn_q8_panel {
    const uint8_t *codes; /* bytes, or shorts */
    const float *scale, *shift, *min;
} ifn_q8_panel;

/* Packed panels, `stride` bytes from one to the next. */
typedef struct ifn_q8_panels {
    const uint8_t *panel;
    size_t stride;
    int64_t n_blocks;
} ifn_q8_panels;

#endif
