/* The case that a call is: which of its tensors go along what it counts, and how long they are. */
#ifndef CONFORM_CALL_CASE_H
#define CONFORM_CALL_CASE_H

#include <stdbool.h>

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
    bool is_value;      /* 1: the call's scalar, which is a tensor of the case */
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

/* Everything that follows from the case; where its tensors lie is left to be filled in. Returns
 * NULL, or why there is no such case. */
const char *conform_view_complete(call_view *out, const ifn_call *args);

/* Rows or columns of the tensor in the case when the slice has so many units and features. */
int64_t conform_axis_length(const call_axis *axis, int64_t n_units, int64_t n_features,
                            int64_t whole);

/* Sets the dimensions of the case that count units and features. */
void conform_view_resize(const call_view *view, int64_t n_units, int64_t n_features,
                         conform_case *c);

#endif
