/* An allocator that fails on purpose, counts requests, and detects blocks that were not freed. */
#ifndef IFN_FAIL_ALLOC_H
#define IFN_FAIL_ALLOC_H

#include <stddef.h>

#include <inferno/alloc.h>

typedef struct fail_alloc {
    ifn_allocator allocator; /* pass &x.allocator */
    long n_calls;            /* requests for memory so far */
    long fail_at;            /* the request that fails, counted from 0; -1: none */
    int fail_from;           /* 1: every request from fail_at on fails */
    size_t live_bytes;       /* allocated and not freed yet */
    size_t peak_bytes;
    size_t largest; /* the largest single request */
    long live_blocks;
} fail_alloc;

/* fail_at -1: never fails, only counts. */
void fail_alloc_init(fail_alloc *self, long fail_at);

#endif
