/*
 * Exhaustive sweeps: every value of a finite set goes through one op.
 *
 *   f32 inputs     all 2^32 bit patterns: silu, rsqrt_elem, swiglu's gate, softmax_rows
 *   F16, BF16      reading: all 65 536 patterns; writing: each pattern, the midpoint between it
 *                  and the next one, and both f32 neighbours of that midpoint
 *   blocks         all codes with all patterns of d; if the format has them, all patterns of the
 *                  second f16, and all integer scales with all minima at each place of a block
 *   orderings      all ways to order up to 7 numbers, ties included: argmax_with_prob
 *
 * A case of the family "every" is a piece of a sweep. Its seed is the number of its first value, and
 * the following elements hold the following values: silu/F32/n=1/T1/every/raw/0/3f800000 is silu(1).
 */
#ifndef CONFORM_EXHAUSTIVE_H
#define CONFORM_EXHAUSTIVE_H

#include "module.h"

typedef struct conform_sweep {
    conform_case c;    /* its first piece */
    int64_t n_values;  /* in all */
    int64_t per_piece; /* values of a piece; the last piece continues with the first values */
} conform_sweep;

/* Sets *out to sweep i of an op, i from 0 on. Returns 1, or 0 if the op has no more. */
int conform_sweep_of(ifn_op op, int i, conform_sweep *out);
int64_t conform_sweep_pieces(const conform_sweep *sweep);
conform_case conform_sweep_piece(const conform_sweep *sweep, int64_t i);

/* 1 if the op has a sweep of the case's dtypes and tier; the sizes may differ from the sweep's own. */
int conform_every_is_legal(const conform_case *c);

/* The values of a sweep: exhaustive_fill.c. */

enum { EVERY_ORDERED = 7 }; /* elements that are ordered, at most */

/* The number of orderings of n elements, ties included; n at most EVERY_ORDERED. */
int64_t conform_orderings(int64_t n);
/* The number of blocks in a sweep of a dtype; F16 and BF16: of patterns. */
int64_t conform_every_blocks(ifn_dtype dtype);
/* The number of blocks needed to hold every code once. */
int64_t conform_every_turns(ifn_dtype dtype);

/* Fills all inputs of a case of the family. */
void conform_every_fill(const conform_case *c, const conform_layout *l, void *const *data);

/* Writes which input element `at` of the output was computed from: ", input 0x3f800000". `at` is a byte offset if
 * the output is compared by bytes. exhaustive_input.c */
void conform_every_describe(const conform_case *c, const conform_layout *l, void *const *data,
                            int64_t at, char *out, size_t bytes);

#endif
