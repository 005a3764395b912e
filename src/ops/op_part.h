/* Which part of its split dimension a call works on: the first lines of every kernel. */
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
 * What of `part` lies in [begin, end), counted from begin: the features of one weight where several
 * lie end to end, the rows of one input where several lie one under the other. Empty: begin == end.
 */
static inline ifn_range ifn_part_within(ifn_range part, int64_t begin, int64_t end)
{
    const int64_t from = part.begin > begin ? part.begin : begin;
    const int64_t to = part.end < end ? part.end : end;
    return from < to ? (ifn_range){from - begin, to - begin} : (ifn_range){0, 0};
}

/* What of `part` is weight i's, where the features of all weights lie end to end; 0, 0: all. */
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
