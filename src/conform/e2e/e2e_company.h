/*
 * A model that many sequences share (R10): random batches (e2e_batches.h), each sequence of which
 * must have the bits that it has alone, at every point of the graph. Needs no truth.
 */
#ifndef CONFORM_E2E_COMPANY_H
#define CONFORM_E2E_COMPANY_H

#include "e2e_results.h"
#include "forward_f64.h"

typedef struct e2e_company {
    const ifn_model *model;
    conform_truth_mode mode; /* what is narrowed: activations, and the dtype of the cache */
    /* As in e2e_trial. */
    ifn_status (*open)(const void *backend, int32_t n_threads, ifn_backend **out, ifn_error *err);
    const void *backend;
    uint64_t seed;            /* of the first batch; of each that follows one more */
    int64_t n;                /* batches */
    const char *word, *label; /* model and backend on a command line; NULL: there is none */
} e2e_company;

/* Runs them all into a row of the shared results. The first difference is named: op, layer and point,
 * sequence. Where R10 is not declared of all ops, it is counted and no failure. */
void e2e_company_run(const e2e_company *self, e2e_results *results);

#endif
