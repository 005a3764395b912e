/* Calls an op by its number, and reads and changes the arguments that ops have in common. */
#ifndef CONFORM_INVOKE_H
#define CONFORM_INVOKE_H

#include "module.h"

/* The type of every op: its argument struct begins with an ifn_call. */
typedef ifn_status (*conform_op_fn)(ifn_backend *backend, const ifn_call *args);

/* The function that calls `op` of a backend. */
conform_op_fn conform_op_entry(ifn_op op);

/* Attention in phase PARTIALS is half a call: turns the arguments into those of the MERGE and returns 1. Returns 0 for
 * all other calls. */
int conform_next_phase(ifn_op op, conform_call *call);

/* IFN_USE_* of the ops that take prepared weights; 0 for the others. */
uint32_t conform_use_of(ifn_op op);

/* Hands packed[i] to the i-th weight of the call. */
void conform_set_packed(ifn_op op, conform_call *call, const ifn_packed *packed);

/* Sets the pointers past the n_w weights of the call to `nowhere`, as no op may use them. */
void conform_set_unused(ifn_op op, conform_call *call, void *nowhere);

/* Writes the weights of a call to `out` and returns their number. */
int conform_weights_of(ifn_op op, const conform_call *call, const ifn_tensor *out[IFN_LINEAR_MAX]);

/* Makes weights of linear and linear_q8 that have the same data, dtype and shape one tensor. Returns 1 if there are
 * any. */
int conform_share_weights(ifn_op op, conform_call *call);

/* The number of rows of activations in a call, by its arguments. Rows of a weight, a table or a cache do not count; of
 * transpose_2d the shorter side counts as rows. -1: the arguments do not say, so the tensors' shapes do. */
int64_t conform_told_rows(ifn_op op, const ifn_call *args);

/* The limits under which this call is legal, for asking how much scratch it needs. */
ifn_limits conform_call_limits(ifn_op op, const conform_call *call, const conform_layout *l);
/* The same for a call without a layout. */
ifn_limits conform_args_limits(ifn_op op, const ifn_call *args);

#endif
