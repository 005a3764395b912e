/*
 * Describes a call of the engine as a case of the conformance run: the inverse of the bind function of a module. The
 * tensors stay in the engine's memory with its strides; a slice is gathered from them before it is judged.
 *
 * A slice consists of units (rows, or the heads of a cache) and features (columns, or the features of a weight). The op
 * computes each unit and each feature independently of the others.
 */
#ifndef CONFORM_CALL_VIEW_H
#define CONFORM_CALL_VIEW_H

#include "call_case.h"

/* Returns the number of views of a call: one for each weight of a linear, else one. */
int conform_call_views(ifn_op op, const ifn_call *args);

/**
 * Makes the i-th view; its tensors are the call's. Returns NULL, or the reason why there is no such case, such as a
 * value of a scalar that cases cannot have, or a part of a call. The text is static.
 */
const char *conform_call_view(ifn_op op, const ifn_call *args, int i, call_view *out);

/* The same for a single position, if units of the op are heads (attention, kv_store); other ops: the whole call. `row`
 * counts from the first row of the call. */
const char *conform_call_view_row(ifn_op op, const ifn_call *args, int i, int64_t row,
                                  call_view *out);

/* Calls `visit` for each tensor v->t[t] of each view, until one returns non-zero. Returns that value, else 0. */
typedef int call_visit(void *cookie, const call_view *v, int t);
int conform_call_visit(ifn_op op, const ifn_call *args, call_visit *visit, void *cookie);

#endif
