/* Computes which part of its split dimension a call works on; every kernel begins with this. */
#ifndef IFN_OP_PART_H
#define IFN_OP_PART_H

#include <stdint.h>

#include <inferno/tensor.h>

/* [begin, end) */
typedef struct ifn_range {
    int64_t begin, end;
} ifn_range;

/* The part of a call: 0, 0 means all of `extent`. */
static inline ifn_range ifn_part(int64_t begin, int64_t end, int64_t extent)
{
    if (begin == 0 && end == 0)
        end = extent;
    return (ifn_range){begin, end};
}

/*
 * The intersection of `part` and [begin, end), counted from begin; empty: begin == end. For the features of one
 * of several weights that lie end to end, or the rows of one of several inputs stacked on each other.
 */
static inline ifn_range ifn_part_within(ifn_range part, int64_t begin, int64_t end)
{
    const int64_t from = part.begin > begin ? part.begin : begin;
    const int64_t to = part.end < end ? part.end : end;
    return from < to ? (ifn_range){from - begin, to - begin} : (ifn_range){0, 0};
}

/* The features of weight i inside `part`, which counts the features of all weights end to end; 0, 0: all. */
static inline ifn_range ifn_part_of_weight(ifn_range part, const ifn_tensor *const *w, int64_t i)
{
    int64_t first = 0;
    if (part.begin == 0 && part.end == 0)
        return (ifn_range){0, w[i]->shape[0]};
    for (int64_t j = 0; j < i; j++)
        first += w[j]->shape[0];
    return ifn_part_within(part, first, first + w[i]->shape[0]);
}

#endif
