/* The operands of the kernels of packed blocks: columns of activations, panels of weights, and how many at once. */
#ifndef IFN_SIMD_BLOCK_OPERANDS_H
#define IFN_SIMD_BLOCK_OPERANDS_H

#include "block_format.h"

/* Columns of activations that a tile carries at once; its rows are those of two panels. */
enum {
    Q8_TILES = 6,
    Q8_FEW = 8,                                 /* most columns of a kernel on one panel */
    Q8_COLUMNS = VEC_REGISTERS == 32 ? 6 : 4,   /* formats with one scale per block of 32 */
    Q8_COLUMNS_2 = VEC_REGISTERS == 32 ? 4 : 3, /* formats with two */
    Q8_STREAMS = 4, /* most panels side by side, if a core reads several streams best */
    Q8_STREAMS_AHEAD = 32 * VEC_BYTES, /* prefetch distance of each of several streams, in bytes */
    Q8_AHEAD = 8192,                   /* the same for a single stream that is prefetched */
    Q8_SLOW = 6,       /* with so many columns, the dots take longer than reading one panel */
    Q8_L2_AHEAD = 8192 /* prefetch distance into L2 then, in bytes */
};

/*
 * On levels with shorts, codes of 8 bits are widened to shorts for many rows: weights chunk by chunk,
 * activations once per pass, which has as many rows as fit the scratch. A block of 32
 * activations is 16 even shorts and then 16 odd ones; a block of weights is, for each of its eight vectors,
 * a vector of even shorts and one of odd ones.
 */
enum { Q8_SHORTS_BLOCK = 2 * Q8_CODE_BYTES, Q8_SHORTS_CHUNK = Q8_CHUNK * Q8_SHORTS_BLOCK };

/* How many panels are read side by side for so many columns: registers must hold the sums. The pieces of
 * more than Q8_FEW columns, 4 to 8 columns each, all get the same number. */
static inline int ifn_q8_streams(int columns)
{
    return columns == 1 || (columns < 4 && VEC_REGISTERS == 32) ? Q8_STREAMS : Q8_STREAMS / 2;
}

/* A word per group of a block of activations, which a kernel needs in addition to d and the codes: the
 * integer -offset * S, or for formats with minima the float S. S is the sum of the group's codes. */
typedef union ifn_q8_word {
    int32_t start;
    float sum;
} ifn_q8_word;

/* Activations of a tile: columns x_stride blocks apart; words are [block][group][column]. */
typedef struct ifn_q8_columns {
    const ifn_block_q8_32f *x;
    int64_t x_stride;
    const ifn_q8_word *words;
    const int16_t *shorts; /* the same codes, for tiles on shorts */
    int64_t shorts_stride; /* of columns, in shorts */
} ifn_q8_columns;

/* One block of each row of a strip; missing rows are zeros. On levels with tile registers, many rows are cut into
 * strips of Q8_STRIP rows, which are copied to the scratch once per pass. */
enum { Q8_STRIP = 16 };
typedef struct ifn_q8_strip_block {
    int8_t qs[Q8_STRIP][32];
    float d[Q8_STRIP];
    float sum[2][Q8_STRIP]; /* of the codes of a group, for formats with minima */
} ifn_q8_strip_block;

/* The weights of a tile: unpacked codes and scales of one panel. */
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
