/*
 * The family GRADED (numerics 4.2): rows, columns and blocks of a reduction have magnitudes of their own, powers of
 * two apart. What a block of one factor has less of, the same block of the other has more of.
 */
#ifndef CONFORM_GEN_GRADED_H
#define CONFORM_GEN_GRADED_H

#include "case.h"
#include "operand.h"
#include "stream.h"

/* Elements of a block of a reduction over k: a choice of the seed, whole blocks of the case's dtype. */
int64_t conform_graded_block(const conform_case *c, int64_t k);

/* The exponent of element `along` of k, in a row of the operand, or a column that is reduced down. */
int conform_graded_exponent(const conform_case *c, conform_operand operand, int64_t line,
                            int64_t along, int64_t k);

/* conform_fill_f32 of the family, from the stream of the operand. */
void conform_fill_graded(const conform_case *c, conform_stream s, conform_operand operand,
                         float *out, int64_t rows, int64_t cols, int64_t stride);

/* How much less a key of `n` counts than others, as an exponent: 0 to `most`, alike in a block. */
int conform_graded_key(const conform_case *c, int64_t position, int64_t n, int most);

#endif
