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

#include "module.h"

typedef enum call_along {
    ALONG_NOTHING, /* all of it belongs to every slice */
    ALONG_UNITS,
    ALONG_FEATURES
} call_along;

/* Entry (o, i, j) of an axis, o < outer, j < take, i the unit or feature, lies at
 * (o * n + i) * inner + j. Rows and columns: inner = take = 1 where entries are units themselves.
 */
typedef struct call_axis {
    call_along along;
    int64_t outer, inner, take;
} call_axis;

typedef struct call_tensor {
    void *data;    /* where the engine has it; NULL: absent */
    size_t stride; /* bytes from row to row */
    call_axis rows, cols;
    const int32_t *map; /* row of unit i; NULL: i itself */
    int is_value;       /* 1: the call's scalar, which is a tensor of the case */
} call_tensor;

/* The dimensions of the case that count units and features. -1: none; the second of a pair counts
 * the same. */
typedef struct call_counts {
    int unit_dim[2], feature_dim[2];
} call_counts;

typedef struct call_view {
    conform_case c; /* of all units and features, without gaps */
    conform_layout l;
    call_tensor t[CONFORM_MAX_TENSORS]; /* as in l */
    call_counts counts;
    int64_t n_units, n_features; /* 1 where there are none */
    int weight;                  /* which of the call's weights: linear */
    float value;
} call_view;

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

/* Rows or columns of the tensor in the case when the slice has so many units and features. */
int64_t conform_axis_length(const call_axis *axis, int64_t n_units, int64_t n_features,
                            int64_t whole);

/* Sets the dimensions of the case that count units and features. */
void conform_view_resize(const call_view *view, int64_t n_units, int64_t n_features,
                         conform_case *c);

#endif
