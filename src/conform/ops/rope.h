/* The rotation by given table rows, shared by both rope ops: truth and bound (numerics 7.6). */
#ifndef CONFORM_OPS_ROPE_H
#define CONFORM_OPS_ROPE_H

#include "module.h"

/* Judges one row [n_heads, head_dim], whose truth begins at element `first`; `table` is its table row. */
void conform_judge_rope_row(conform_truth *t, int64_t first, const float *x, const float *table,
                            int64_t n_heads, int64_t head_dim, int64_t pairing,
                            const conform_declared *declared);

#endif
