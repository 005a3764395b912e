/*
 * Finds the first op in a model's run that breaks its own contract on its own actual inputs (numerics 11.5). This is
 * not the first op whose outputs differ from another backend's, as an earlier error may have caused a difference.
 *
 * The model runs on the backend under teacher forcing. Inputs of a call that it overwrites are kept, and its outputs
 * are judged by the oracle and the bound of the op, as in a case of the conformance run. Of a large product only a
 * sample of its features is judged, and those where the backend is farthest from scalar; if nothing is found, a
 * second run judges all of them.
 */
#ifndef CONFORM_FIRST_BAD_H
#define CONFORM_FIRST_BAD_H

#include <stdbool.h>
#include <stdio.h>

#include "first_bad_finding.h"
#include "run_mode.h"

/* All zero: the defaults. */
typedef struct first_bad_options {
    int64_t sample;   /* features of each weight in the first run; 0: 64 */
    bool is_quick;    /* no second run over all features */
    bool is_ops_only; /* no search for a wrong point of the graph if no op is bad */
    const char *yaml; /* path of the file of cases for the failing call; NULL: none is written */
} first_bad_options;

/**
 * Searches for the first bad op. Borrows the model and the backend, and opens weights and contexts of its own.
 *
 * ids [n]   n >= 1
 * Errors  those of opening weights and contexts; a call that fails is a finding, not an error, and
 *         if the file cannot be written, no_yaml says why and the finding is valid all the same
 */
IFN_NODISCARD ifn_status conform_first_bad(const ifn_model *model, ifn_backend *backend,
                                           const first_bad_mode *mode, const ifn_token *ids,
                                           int64_t n, const first_bad_options *options,
                                           first_bad_finding *out, ifn_error *err);

/* Prints the finding as a block of text. */
void conform_first_bad_put(const first_bad_finding *finding, FILE *out);

#endif
