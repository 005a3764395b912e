/*
 * The family STAGNANT (numerics 4.2): in each sum one term is large and all others are a little less than half its
 * ulp, so that a sum to which they are added one by one does not move.
 */
#ifndef CONFORM_GEN_STAGNANT_H
#define CONFORM_GEN_STAGNANT_H

#include "case.h"
#include "operand.h"
#include "stream.h"

/* Of n terms of a sum, or n blocks of them, the large one: the first in every other line, else the last, or any. */
int64_t conform_stagnant_large(conform_stream s, int64_t line, int64_t n);

/* conform_fill_f32 of the family for factors, from the stream of the operand; others have no terms. */
void conform_fill_stagnant(const conform_case *c, conform_stream s, conform_operand operand,
                           float *out, int64_t rows, int64_t cols, int64_t stride);

/* What exponents of scales have added in block b of n of a row of blocks: one row of codes serves all its blocks. */
int conform_stagnant_exponent(conform_stream s, conform_operand operand, int64_t row, int64_t b,
                              int64_t n);

#endif
