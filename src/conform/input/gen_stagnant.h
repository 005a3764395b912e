/*
 * The family STAGNANT (numerics 4.2): in each sum one term is large and all others are a little less than half its
 * ulp, so that a sum to which they are added one by one does not move.
 */
#ifndef CONFORM_GEN_STAGNANT_H
#define CONFORM_GEN_STAGNANT_H

#include "case.h"
#include "operand.h"
#include "stream.h"

/* The index of the large term among n terms of a sum, or n blocks: the first in every other line, else the last, or
 * any. */
int64_t conform_stagnant_large(conform_stream s, int64_t line, int64_t n);

/* The size of a small term beside 1: below half an ulp by itself or, with every other seed, with 16 of them together, for
 * kernels that first add that many. */
double conform_stagnant_small(uint64_t seed);

/* The part of conform_fill_f32 for factors in this family, from the stream of the operand; other operands have no terms
 * of a sum. */
void conform_fill_stagnant(const conform_case *c, conform_stream s, conform_operand operand,
                           float *out, int64_t rows, int64_t cols, int64_t stride);

/* Logits whose exponentials are such terms, for the sum of a softmax. */
void conform_fill_stagnant_logits(const conform_case *c, conform_stream s, float *out, int64_t rows,
                                  int64_t cols, int64_t stride);

/* The exponent that is added to the scale of block b of n in a row of blocks; all blocks of a row have the same
 * codes. */
int conform_stagnant_exponent(conform_stream s, conform_operand operand, int64_t row, int64_t b,
                              int64_t n);

#endif
