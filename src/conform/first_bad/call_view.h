/*
 * A call as the engine made it, seen as a case of the conformance run: the inverse of a module's
 * bind. Its tensors lie where the engine has them, with strides of their own; a slice of it is
 * gathered before it is judged.
 *
 * What a slice is made of: units (rows, or the heads of a cache) and features (columns, or the
 * features of a weight), each of which is computed by itself.
 */
#ifndef CONFORM_CALL_VIEW_H
#define CONFORM_CALL_VIEW_H

#include "call_case.h"

/* How many views a call has: one for each weight of a linear, one for any other call. */
int conform_call_views(ifn_op op, const ifn_call *args);

/**
 * The i-th. Its tensors are the call's. Returns NULL, or why there is no such case: a scalar that
 * cases have not, a part of a call. Static.
 */
const char *conform_call_view(ifn_op op, const ifn_call *args, int i, call_view *out);

/* The same of one position alone, for ops whose units are heads: attention, kv_store. Others: the
 * call itself. `row` counts from the first of the call. */
const char *conform_call_view_row(ifn_op op, const ifn_call *args, int i, int64_t row,
                                  call_view *out);

/* Shows each tensor of each view, v->t[t], until an answer is not 0, and returns that. */
typedef int call_visit(void *cookie, const call_view *v, int t);
int conform_call_visit(ifn_op op, const ifn_call *args, call_visit *visit, void *cookie);

#endif
