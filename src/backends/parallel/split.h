/*
 * Cuts a call into parts: one function for all ops. Parts are ranges of the declared split
 * dimensions, cut at the inner backend's granule; they are disjoint and cover the call, so each
 * output is written by exactly one of them. They depend on the call and on their number alone.
 */
#ifndef IFN_PARALLEL_SPLIT_H
#define IFN_PARALLEL_SPLIT_H

#include <stdbool.h>

#include <inferno/backend.h>

#include "op_part.h"

/* One split dimension of a call. Granules are what lies between two neighbouring legal cuts. */
typedef struct ifn_split_axis {
    int64_t granule;
    int32_t n_segments;
    int64_t segments[IFN_LINEAR_MAX]; /* lengths; multiples of the granule start anew in each */
    int64_t first, n_granules;        /* of the part the call is about */
    int32_t n_parts;
} ifn_split_axis;

typedef struct ifn_split {
    ifn_op op;
    ifn_split_axis axes[2]; /* the parts are a grid */
    int fine_axis;          /* along which each part is cut once more, */
    int32_t n_fine;         /* into so many; 1: it is not */
} ifn_split;

/*
 * Cuts a call on `inner` into at most n parts. ifn_parallel_work of the arguments must be
 * positive. Returns how many parts there are: 1 also where the part it has already is not to be
 * cut further.
 */
int32_t ifn_split_call(ifn_split *out, ifn_op op, const ifn_call *args, ifn_backend *inner,
                       int32_t n);

/*
 * Cuts each part once more, into at most n with `least` granules each, along an axis where that costs
 * next to nothing. What was part i becomes the parts from i * n_fine on. Returns n_fine.
 */
int32_t ifn_split_refine(ifn_split *self, const ifn_call *args, int32_t n, int64_t least);

/* Makes a copy of the call into its part i. */
void ifn_split_set_part(const ifn_split *self, ifn_call *args, int32_t i);

/*
 * Attention of one row, also along its keys: makes `partials` the call's phase PARTIALS, cut into
 * at most n parts; after it the phase MERGE is due, `partials` with that phase, and the two have
 * the bits of the call in one. What lies between them stands at the end of the call's scratch,
 * which `partials` has no longer; ifn_split_partials_bytes is the room for it. Returns how many
 * parts there are: 1 where the call is not to be cut like this, or not to gain from it.
 */
int32_t ifn_split_keys(ifn_split *out, ifn_args *partials, const ifn_attention_args *a,
                       ifn_backend *inner, int32_t n);

/* A multiple of IFN_ALIGN; SIZE_MAX where no memory has so much. */
size_t ifn_split_partials_bytes(const ifn_limits *max);

#endif
