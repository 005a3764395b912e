/*
 * Far calls that touch all of their tensors, for ops with a flat length and for ops that cannot be cut. The judge
 * looks at the elements around the borders; everything between them is one piece of memory, mapped again and again
 * (far_pieces.h).
 */
#ifndef CONFORM_FAR_WHOLE_H
#define CONFORM_FAR_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "case.h"

typedef enum far_whole_kind {
    WHOLE_MOVES,    /* each output element is a copy of an input element, or keeps its old value */
    WHOLE_SEARCHES, /* the input is long, the output small */
    WHOLE_COMPUTES  /* elementwise: each output element from the input elements at its index */
} far_whole_kind;

/* More than 2^24 elements, which a float cannot count; more than 2^31 bytes; more than 2^32 bytes. */
typedef enum far_size { FAR_LONG, FAR_GREAT, FAR_HUGE, FAR_SIZES } far_size;

typedef struct far_whole {
    ifn_op op;
    const char *way; /* the size that is enlarged */
    size_t element_bytes;
    far_whole_kind kind;
    bool is_cut; /* the op is cut or has other ways to be far: it has a call of 2^31 bytes, too */
} far_whole;

/* NULL: the op has no far calls of whole tensors. */
const far_whole *conform_far_whole_of(ifn_op op);

/* True if the op has calls of that size. An op that is never cut covers both byte borders with the call of 2^32. */
bool conform_far_whole_comes_in(const far_whole *self, far_size size);
/* True if cases like this one can make such a call. */
bool conform_far_whole_has(const far_whole *self, const conform_case *home);
/* The case of the far call: the case at home with other sizes. `shares` divides its length: the sizes are those of one
 * of so many equal shares. */
conform_case conform_far_whole_case(const far_whole *self, const conform_case *home, far_size size,
                                    int64_t shares);

/* Where an op that moves takes elements from: the n output elements from `at` on are those of the tensor `in` from
 * element `from` on; `in` NULL: they keep their old values. */
typedef struct far_moved {
    const char *in;
    int64_t from, n;
} far_moved;

far_moved conform_far_moved(const conform_case *c, int64_t at);

#endif
