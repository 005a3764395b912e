/*
 * The far call of an op that touches all of its tensors whatever part is asked for: a call of its
 * own, of 2^32 bytes and some pages. What lies around its borders is looked at, and all between
 * them is one piece of memory (far_pieces.h).
 */
#ifndef CONFORM_FAR_WHOLE_H
#define CONFORM_FAR_WHOLE_H

#include "case.h"

typedef struct far_whole {
    ifn_op op;
    const char *way; /* what is large: the first dimension of its cases */
    const char *in;  /* the tensor that is read, so long */
    const char *out; /* the one that is written, as long; NULL: what is written is small */
    size_t element_bytes;
} far_whole;

/* NULL: the op has parts, or a size in which it is far at the price of a small call. */
const far_whole *conform_far_whole_of(ifn_op op);

/* Its case: that of a call at home in all but the size. */
conform_case conform_far_whole_case(const far_whole *self, const conform_case *home);

#endif
