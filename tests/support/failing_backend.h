/* A wrapper that fails one op call on purpose, for tests that callers of ops notice a failure at each call. */
#ifndef IFN_FAILING_BACKEND_H
#define IFN_FAILING_BACKEND_H

#include <inferno/backend.h>

/* The state of the one such wrapper. */
extern struct failing_backend {
    long n_calls, fail_at;        /* the call that fails, counted from 0; -1: none */
    const char *op;               /* the op that failed last, with IFN_ERR_NUMERIC */
    const char *why;              /* its explanation; NULL: it has none */
    const ifn_allocator *buffers; /* NULL: the inner backend's */
} failing;

/* Opens it around `inner`, which it borrows; no call fails yet. Fails the test if it cannot. */
ifn_backend *failing_open(ifn_backend *inner);

#endif
