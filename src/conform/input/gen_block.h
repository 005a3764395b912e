/* One block of a storage dtype, by the family of its case: scales, minima, codes, each from a number of its
 * own in the stream of the tensor. */
#ifndef CONFORM_GEN_BLOCK_H
#define CONFORM_GEN_BLOCK_H

#include <stdbool.h>

#include "blocks.h"
#include "gen.h"
#include "gen_regimes.h"

/* What fills the codes of a block. */
typedef enum block_style {
    STYLE_UNIFORM,
    STYLE_ZEROS,
    STYLE_CONSTANT,
    STYLE_PAIRS,
    STYLE_EXTREMES,
    STYLE_LOW,
    STYLE_HIGH
} block_style;

/* One block: where its numbers come from, and the ranges of the family. */
typedef struct block_maker {
    const conform_case *c;
    conform_operand operand;
    ifn_dtype dtype;
    conform_stream s;
    uint64_t first; /* index of its slot 0 */
    conform_limits limits;
    conform_lattice lattice;
    int low, high, drawn_low; /* codes; what is drawn may begin above the lowest */
    bool has_zero;            /* a 0 that was drawn stays */
    int exponent;             /* of T0: the unit of the whole tensor */
    int grade;                /* of GRADED and STAGNANT: added to exponents of scales */
    block_style style;
    conform_zero zero;
    bool is_sparse;  /* seven codes of eight are zero */
    bool is_spoiled; /* its scale, or its minimum, is NaN */
} block_maker;

/* Of a tensor with inner dimension k; the members of one block are zero. */
block_maker block_maker_of(const conform_case *c, const char *name, conform_operand operand,
                           ifn_dtype dtype, int64_t k);
/* Goes to block b of n in row r: what it is to be. */
void block_maker_go(block_maker *self, int64_t r, int64_t b, int64_t n);

void block_make(const block_maker *m, void *block);
/* Zeros and, if `hot` lies in the block, one 1: scales 1, no minimum. */
void block_make_hot(const block_maker *m, void *block, int64_t hot);
/* Any bits: every pattern is a legal weight. Half of the scales stay away from NaN. */
void block_make_any(const block_maker *m, unsigned char *block);
/* Of Q8_32F: d, and the sum of the codes, which are zeros where all of it is. */
void block_put_activation(void *block, double d, bool is_zero);

#endif
