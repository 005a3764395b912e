/*
 * A leaf like scalar whose handles for gather_rows are copies of the weights. Each test makes the copies in
 * its own way, to test what may go wrong with handles.
 */
#ifndef CONFORM_COPIED_LEAF_H
#define CONFORM_COPIED_LEAF_H

#include <inferno/backend.h>

#include "case.h"

typedef struct copied_handle {
    struct copied_handle *next; /* for tests that keep a list of handles */
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

/* Allocates a handle with room for a copy of w, but does not copy; NULL without memory. */
copied_handle *copied_take(ifn_backend *self, const ifn_tensor *w);
ifn_packed copied_packed(copied_handle *h);
void copied_release(ifn_backend *self, ifn_packed *packed);
/* The same for a handle that may be in the list, from which it is removed. */
void copied_release_of(copied_handle **list, ifn_backend *self, ifn_packed *packed);
/* Puts in a gather_rows that reads the handle instead of the weight. */
void copied_fill(ifn_op_table *table, const ifn_backend_env *env);

/* A prepared case of three rows or more. */
conform_case copied_case(uint64_t seed);

#endif
