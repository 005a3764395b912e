/*
 * The family GRADED (numerics 4.2): rows, columns and blocks along a reduction have their own magnitudes, powers of
 * two apart. If a block of one factor is smaller, the same block of the other factor is larger.
 */
#ifndef CONFORM_GEN_GRADED_H
#define CONFORM_GEN_GRADED_H

#include "case.h"
#include "operand.h"
#include "stream.h"

/* The number of elements in a block along a reduction over k: chosen by the seed, a multiple of the dtype's blocks. */
int64_t conform_graded_block(const conform_case *c, int64_t k);

/* The exponent of element `along` of k in a line: a row of the operand, or a column for OPERAND_B_DOWN. */
int conform_graded_exponent(const conform_case *c, conform_operand operand, int64_t line,
                            int64_t along, int64_t k);

/* The part of conform_fill_f32 for this family. `s` is the stream of the operand. */
void conform_fill_graded(const conform_case *c, conform_stream s, conform_operand operand,
                         float *out, int64_t rows, int64_t cols, int64_t stride);

/* The exponent, 0 to `most`, by which the weight of a key of `n` is lowered; all keys of a block have the same. */
int conform_graded_key(const conform_case *c, int64_t position, int64_t n, int most);

#endif
