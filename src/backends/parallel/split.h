/*
 * Cuts a call into parts: one function for all ops. Parts are ranges of the declared split
 * dimensions, cut at the inner backend's granule; they are disjoint and cover the call, so exactly
 * one part writes each output. They depend only on the call and on their number.
 */
#ifndef IFN_PARALLEL_SPLIT_H
#define IFN_PARALLEL_SPLIT_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "op_part.h"

/* One split dimension of a call. A granule is the range between two neighbouring legal cuts. */
typedef struct ifn_split_axis {
    int64_t granule;
    int32_t n_segments;
    int64_t segments[IFN_LINEAR_MAX]; /* lengths; granules are counted from the start of each */
    int64_t first, n_granules;        /* the granules of the call's own part */
    int32_t n_parts;
} ifn_split_axis;

typedef struct ifn_split {
    ifn_op op;
    ifn_split_axis axes[2]; /* the parts are a grid */
    int fine_axis;          /* the axis along which each part is cut once more */
    int32_t n_fine;         /* into so many parts; 1: not cut */
} ifn_split;

/*
 * Cuts a call on `inner` into at most n parts. ifn_parallel_work of the arguments must be
 * positive. Returns the number of parts: 1 also if the call is a part already that cannot be cut further.
 */
int32_t ifn_split_call(ifn_split *out, ifn_op op, const ifn_call *args, ifn_backend *inner,
                       int32_t n);

/*
 * Cuts each part once more, into at most n parts of at least `least` granules, along an axis where that
 * costs next to nothing. Part i becomes the parts from i * n_fine on. Returns n_fine.
 */
int32_t ifn_split_refine(ifn_split *self, const ifn_call *args, int32_t n, int64_t least);

/* Turns a copy of the call into part i of it. */
void ifn_split_set_part(const ifn_split *self, ifn_call *args, int32_t i);

/*
 * Cuts attention of one row along its keys, too: makes `partials` the phase PARTIALS of the call, cut into
 * at most n parts. Afterwards the caller must run `partials` with the phase MERGE; both phases together
 * have the bits of the whole call. The partials lie at the end of the call's scratch, which `partials` no
 * longer counts as its own; ifn_split_partials_bytes is their size. Returns the number of parts: 1 if the
 * call cannot be cut like this, or would not gain from it.
 */
int32_t ifn_split_keys(ifn_split *out, ifn_args *partials, const ifn_attention_args *a,
                       ifn_backend *inner, int32_t n);

/* A multiple of IFN_ALIGN; SIZE_MAX if the size overflows. */
size_t ifn_split_partials_bytes(const ifn_limits *max);

#endif
