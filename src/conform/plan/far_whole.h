/*
 * Far calls that touch all of their tensors: of ops with a flat length, and of those that are not
 * cut. What lies around the borders is looked at, and all between them is one piece of memory
 * (far_pieces.h).
 */
#ifndef CONFORM_FAR_WHOLE_H
#define CONFORM_FAR_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "case.h"

typedef enum far_whole_kind {
    WHOLE_MOVES,    /* what is written are elements of inputs, or what was there */
    WHOLE_SEARCHES, /* what is written is small */
    WHOLE_COMPUTES  /* each element from those at its place */
} far_whole_kind;

/* More than 2^24 elements, which a float can not count; more than 2^31 bytes; more than 2^32. */
typedef enum far_size { FAR_LONG, FAR_GREAT, FAR_HUGE, FAR_SIZES } far_size;

typedef struct far_whole {
    ifn_op op;
    const char *way; /* what is large */
    size_t element_bytes;
    far_whole_kind kind;
    bool is_cut; /* or has other ways to be far: a call of 2^31 bytes comes first */
} far_whole;

/* NULL: the op is no such one. */
const far_whole *conform_far_whole_of(ifn_op op);

/* Whether it has calls of that size. What is never cut has the larger one for both borders. */
bool conform_far_whole_comes_in(const far_whole *self, far_size size);
/* Whether a call of that kind belongs to cases like this one. */
bool conform_far_whole_has(const far_whole *self, const conform_case *home);
/* Its case: that of a call at home in all but the sizes. One of so many shares of it. */
conform_case conform_far_whole_case(const far_whole *self, const conform_case *home, far_size size,
                                    int64_t shares);

/* Of an op that moves: from element `at` of the output on, n elements are those of a tensor from
 * `from` on; `in` NULL: they stay. */
typedef struct far_moved {
    const char *in;
    int64_t from, n;
} far_moved;

far_moved conform_far_moved(const conform_case *c, int64_t at);

#endif
