/* The ways in which one backend runs against one truth. */
#ifndef CONFORM_E2E_WAYS_H
#define CONFORM_E2E_WAYS_H

#include "e2e_results.h"
#include "e2e_truth.h"

enum { E2E_MAX_WAYS = 8, E2E_MAX_THREADS = 7 };

typedef struct e2e_trial {
    const e2e_truth *truth;
    /* Opens the backend under test; n_threads 0: the backend decides. */
    ifn_status (*open)(const void *backend, int32_t n_threads, ifn_backend **out, ifn_error *err);
    const void *backend;
    uint64_t seed;  /* of random chunks and thread counts */
    int64_t n_more; /* runs with random ways, chunks and threads */
} e2e_trial;

/* Lists the ways of computing that have this truth; returns how many. */
int e2e_trial_ways(const e2e_truth *truth, e2e_way out[E2E_MAX_WAYS]);

#endif
