/*
 * The first op of a model's run that breaks its own contract on its own actual inputs (numerics
 * 11.5): not the first difference, which an earlier error may have caused.
 *
 * The model runs on the backend under teacher forcing. Each call's inputs are kept, its outputs
 * judged by the op's own oracle and bound, as in a case of the conformance run. Large products are
 * judged in a sample of their features (and where the backend is farthest from scalar); if nothing
 * is found, a second run judges all of them.
 */
#ifndef CONFORM_FIRST_BAD_H
#define CONFORM_FIRST_BAD_H

#include <stdbool.h>
#include <stdio.h>

#include "first_bad_finding.h"
#include "run_mode.h"

/* All zero is sensible. */
typedef struct first_bad_options {
    int64_t sample;   /* features of each weight in the first run; 0: 64 */
    bool is_quick;    /* 1: no second run over all of them */
    bool is_ops_only; /* 1: no search for a point of the graph where no op is bad */
    const char *yaml; /* where the failing call is written as a file of cases; NULL: nowhere */
} first_bad_options;

/**
 * Finds it. `backend` is borrowed, as the model is; it is run with weights and contexts of its own.
 *
 * ids [n]   n >= 1
 * Errors  those of opening weights and contexts; a call that fails is no error but a finding, and
 *         a file that cannot be written (no_yaml) takes nothing from the finding
 */
IFN_NODISCARD ifn_status conform_first_bad(const ifn_model *model, ifn_backend *backend,
                                           const first_bad_mode *mode, const ifn_token *ids,
                                           int64_t n, const first_bad_options *options,
                                           first_bad_finding *out, ifn_error *err);

/* One block of text. */
void conform_first_bad_put(const first_bad_finding *finding, FILE *out);

#endif
