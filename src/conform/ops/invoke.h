/* Calling an op that is known by its number. */
#ifndef CONFORM_INVOKE_H
#define CONFORM_INVOKE_H

#include "module.h"

/* An op of any kind: the call struct opens its arguments. */
typedef ifn_status (*conform_op_fn)(ifn_backend *backend, const ifn_call *args);

/* A function that calls `op` of whatever backend it is given. */
conform_op_fn conform_op_entry(ifn_op op);

/* Attention in phase PARTIALS is half a call: makes the MERGE of it and returns 1; 0 for all
 * others.
 */
int conform_next_phase(ifn_op op, conform_call *call);

/* IFN_USE_* of the ops that take prepared weights; 0 for the others. */
uint32_t conform_use_of(ifn_op op);

/* Hands packed[i] to the i-th weight of the call. */
void conform_set_packed(ifn_op op, conform_call *call, const ifn_packed *packed);

/* What stands after the n_w weights of the call points to `nowhere`: no op looks at it. */
void conform_set_unused(ifn_op op, conform_call *call, void *nowhere);

/* The weights of a call: tensors into `out`, and how many. */
int conform_weights_of(ifn_op op, const conform_call *call, const ifn_tensor *out[IFN_LINEAR_MAX]);

/* Weights of linear and linear_q8 that are alike and have their data in one place become one tensor.
 * Returns 1 if there are any. */
int conform_share_weights(ifn_op op, conform_call *call);

/* How many rows of activations a call has, as its arguments tell: rows of a weight, a table or a cache are none, and what
 * is transposed has its longer side in a row, whichever it was. -1: the op has only what its tensors have. */
int64_t conform_told_rows(ifn_op op, const ifn_call *args);

/* The limits under which this call is legal: what scratch is asked for. */
ifn_limits conform_call_limits(ifn_op op, const conform_call *call, const conform_layout *l);
/* The same of a call without a layout. */
ifn_limits conform_args_limits(ifn_op op, const ifn_call *args);

#endif
