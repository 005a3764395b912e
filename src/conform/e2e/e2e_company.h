/*
 * Tests R10 on a whole model: runs random batches of sequences (e2e_batches.h) and requires that each sequence has the
 * same bits as when it is evaluated alone, at every point of the graph. Needs no truth.
 */
#ifndef CONFORM_E2E_COMPANY_H
#define CONFORM_E2E_COMPANY_H

#include "e2e_results.h"
#include "forward_f64.h"

typedef struct e2e_company {
    const ifn_model *model;
    conform_truth_mode mode; /* activations, and the dtype of the cache */
    /* As in e2e_trial. */
    ifn_status (*open)(const void *backend, int32_t n_threads, ifn_backend **out, ifn_error *err);
    const void *backend;
    uint64_t seed;            /* of the first batch; each later batch has one more */
    int64_t n;                /* batches */
    const char *word, *label; /* model and backend on a command line; NULL: there is none */
} e2e_company;

/* Runs all batches and adds them to a row of the shared results. The row names the first difference: op, layer and
 * point, sequence. If the backend does not declare R10 of all ops, differences are counted but do not fail. */
void e2e_company_run(const e2e_company *self, e2e_results *results);

#endif
