/*
 * A leaf of scalar whose handles for gather_rows are copies of the weights, made as a test says: for
 * what may go wrong with handles.
 */
#ifndef CONFORM_COPIED_LEAF_H
#define CONFORM_COPIED_LEAF_H

#include <inferno/backend.h>

#include "case.h"

typedef struct copied_handle {
    struct copied_handle *next; /* of a test that keeps a list of them */
    const void *source;
    const char *name;
    int64_t rows, cols;
    ifn_dtype dtype;
    size_t bytes;
} copied_handle;

enum { COPIED_HEAD = 64 };

static inline unsigned char *copied_data(const copied_handle *h)
{
    return (unsigned char *)(uintptr_t)h + COPIED_HEAD;
}

/* Room for a copy of w, which is not made yet; NULL without memory. */
copied_handle *copied_take(ifn_backend *self, const ifn_tensor *w);
ifn_packed copied_packed(copied_handle *h);
void copied_release(ifn_backend *self, ifn_packed *packed);
/* The same of one that may be in the list. */
void copied_release_of(copied_handle **list, ifn_backend *self, ifn_packed *packed);
/* gather_rows of what is in the handle. */
void copied_fill(ifn_op_table *table, const ifn_backend_env *env);

/* A prepared case of three rows or more. */
conform_case copied_case(uint64_t seed);

#endif
