/*
 * `inferno conform debug CASE`: runs one case in this process and shows what its id means, its inputs, its truth and
 * its results.
 */
#ifndef CONFORM_DEBUG_H
#define CONFORM_DEBUG_H

#include <stdio.h>

#include "options.h"
#include "slot.h"
#include "verdict.h"

int conform_debug_main(const conform_options *options);

/* A case and its results. */
typedef struct debug_run {
    const conform_slot *slot;
    const spec_op *spec;
    conform_truth truth[CONFORM_MAX_TENSORS];      /* the truth used to judge the backend */
    const unsigned char *got[CONFORM_MAX_TENSORS]; /* NULL: no output, or the call was not made */
    conform_verdict verdict;
} debug_run;

/* Prints the id in words (debug_words.c). */
void debug_put_words(const conform_case *c, FILE *out);
/* Print the inputs; the truth, result and error of each output (debug_tables.c). */
void debug_put_inputs(const debug_run *r, FILE *out);
void debug_put_outputs(const debug_run *r, FILE *out);
/* Writes inputs, truth, bounds and results as .npy files (debug_files.c). */
IFN_NODISCARD ifn_status debug_write_files(const debug_run *r, const char *dir, ifn_error *err);

#endif
