/* Makes one block of a storage dtype by the family of its case. Scales, minima and codes each have their own index in
 * the stream of the tensor. */
#ifndef CONFORM_GEN_BLOCK_H
#define CONFORM_GEN_BLOCK_H

#include <stdbool.h>

#include "blocks.h"
#include "gen.h"
#include "gen_regimes.h"

/* How the codes of a block are chosen. */
typedef enum block_style {
    STYLE_UNIFORM,
    STYLE_ZEROS,
    STYLE_CONSTANT,
    STYLE_PAIRS,
    STYLE_EXTREMES,
    STYLE_LOW,
    STYLE_HIGH
} block_style;

/* The state for making blocks: where their numbers come from, the ranges of the family, and the current block. */
typedef struct block_maker {
    const conform_case *c;
    conform_operand operand;
    ifn_dtype dtype;
    conform_stream s;
    uint64_t first; /* index of its slot 0 */
    conform_limits limits;
    conform_lattice lattice;
    int low, high, drawn_low; /* range of the codes; drawn codes may begin above `low` */
    bool has_zero;            /* a drawn code of 0 stays 0 */
    int exponent;             /* of T0: the unit of the whole tensor */
    int grade;                /* of GRADED and STAGNANT: added to exponents of scales */
    block_style style;
    conform_zero zero;
    bool is_sparse;  /* seven codes of eight are zero */
    bool is_spoiled; /* its scale, or its minimum, is NaN */
} block_maker;

/* The maker for a tensor with inner dimension k. The members about the current block are zero. */
block_maker block_maker_of(const conform_case *c, const char *name, conform_operand operand,
                           ifn_dtype dtype, int64_t k);
/* Moves to block b of n in row r and decides what that block will be. */
void block_maker_go(block_maker *self, int64_t r, int64_t b, int64_t n);

void block_make(const block_maker *m, void *block);
/* Makes a block of zeros with a 1 at element `hot`, if that lies in the block: scales 1, no minimum. */
void block_make_hot(const block_maker *m, void *block, int64_t hot);
/* Makes a block of random bits: every pattern is a legal weight. In Q8_32F no code is -128, the sum of the codes is
 * right and the scale is finite. */
void block_make_any(const block_maker *m, unsigned char *block);
/* Sets the scale d of a Q8_32F block and the sum of its codes; is_zero sets the codes to 0 first. */
void block_put_activation(void *block, double d, bool is_zero);

#endif
