/*
 * Exhaustive where there are finitely many values: sweeps over all of them through one op.
 *
 *   f32 inputs     all 2^32 bit patterns: silu, rsqrt_elem, swiglu's gate, softmax_rows
 *   F16, BF16      all 65 536 patterns read; each, and what lies at and beside the middle between
 *                  it and the next, written
 *   blocks         all codes with all patterns of d; in formats that have them all patterns of the
 *                  second f16, and all integer scales with all minima at each place of a block
 *   orderings      all ways to order up to 7 numbers, ties among them: argmax_with_prob
 *
 * A case of the family "every" is a piece of a sweep. Its seed is the number of its first value, the
 * next elements hold the next values: silu/F32/n=1/T1/every/raw/0/3f800000 is silu(1).
 */
#ifndef CONFORM_EXHAUSTIVE_H
#define CONFORM_EXHAUSTIVE_H

#include "module.h"

typedef struct conform_sweep {
    conform_case c;    /* its first piece */
    int64_t n_values;  /* in all */
    int64_t per_piece; /* the last piece goes on with the first values */
} conform_sweep;

/* Sweep i of an op, i from 0 on. Returns 1, or 0 where there are no more. */
int conform_sweep_of(ifn_op op, int i, conform_sweep *out);
int64_t conform_sweep_pieces(const conform_sweep *sweep);
conform_case conform_sweep_piece(const conform_sweep *sweep, int64_t i);

/* 1 if the case is a piece of a sweep there is, of whatever size. */
int conform_every_is_legal(const conform_case *c);

/* Values of a sweep: exhaustive_fill.c. */

enum { EVERY_ORDERED = 7 }; /* elements that are ordered, at most */

/* In how many ways n elements can be ordered with ties; n at most EVERY_ORDERED. */
int64_t conform_orderings(int64_t n);
/* How many blocks of a dtype there are in a sweep; F16 and BF16: patterns. */
int64_t conform_every_blocks(ifn_dtype dtype);
/* How many blocks it takes to hold every code. */
int64_t conform_every_turns(ifn_dtype dtype);

/* All inputs of a case of the family. */
void conform_every_fill(const conform_case *c, const conform_layout *l, void *const *data);

/* ", input 0x3f800000": what element `at` of an output was made from; `at` is a byte where outputs
 * are compared by bytes. exhaustive_input.c */
void conform_every_describe(const conform_case *c, const conform_layout *l, void *const *data,
                            int64_t at, char *out, size_t bytes);

#endif
