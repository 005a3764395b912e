/* Describes a call as a case: which axes of its tensors run along units or features, and how long they are. */
#ifndef CONFORM_CALL_CASE_H
#define CONFORM_CALL_CASE_H

#include <stdbool.h>

#include "module.h"

/* What the entries of an axis are. */
typedef enum call_along {
    ALONG_NOTHING, /* every slice has the whole axis */
    ALONG_UNITS,
    ALONG_FEATURES
} call_along;

/* Index of an axis of n units (or features): entry (o, i, j), o < outer, j < take, i the unit or feature, lies at
 * (o * n + i) * inner + j. outer = inner = take = 1 if each entry is one unit or feature. */
typedef struct call_axis {
    call_along along;
    int64_t outer, inner, take;
} call_axis;

typedef struct call_tensor {
    void *data;    /* the engine's memory; NULL: absent */
    size_t stride; /* bytes from row to row */
    call_axis rows, cols;
    const int32_t *map; /* row of unit i; NULL: i itself */
    bool is_value;      /* a scalar argument of the call, which the case has as a tensor */
} call_tensor;

/* Indices of the dimensions of the case that count units and features; -1: none. A case may have two dimensions with
 * the same count. */
typedef struct call_counts {
    int unit_dim[2], feature_dim[2];
} call_counts;

typedef struct call_view {
    conform_case c; /* has all units and features, without gaps */
    conform_layout l;
    call_tensor t[CONFORM_MAX_TENSORS]; /* as in l */
    call_counts counts;
    int64_t n_units, n_features; /* 1 where there are none */
    int weight;                  /* linear: index of the weight */
    float value;
} call_view;

/* Fills in everything that follows from out->c; the caller then sets the addresses of tensors. Returns NULL, or the
 * reason why there is no such case. */
const char *conform_view_complete(call_view *out, const ifn_call *args);

/* Returns the length of an axis in a slice of n_units units and n_features features; `whole` if it runs along
 * neither. */
int64_t conform_axis_length(const call_axis *axis, int64_t n_units, int64_t n_features,
                            int64_t whole);

/* Sets the dimensions of the case that count units and features. */
void conform_view_resize(const call_view *view, int64_t n_units, int64_t n_features,
                         conform_case *c);

#endif
