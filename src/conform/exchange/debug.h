/*
 * `inferno conform debug CASE`: one case from within. What its id means, what goes in, what must
 * come out, what does.
 */
#ifndef CONFORM_DEBUG_H
#define CONFORM_DEBUG_H

#include <stdio.h>

#include "options.h"
#include "slot.h"
#include "verdict.h"

int conform_debug_main(const conform_options *options);

/* A case that was run once. */
typedef struct debug_run {
    const conform_slot *slot;
    const spec_op *spec;
    conform_truth truth[CONFORM_MAX_TENSORS];      /* as the backend was judged */
    const unsigned char *got[CONFORM_MAX_TENSORS]; /* NULL: not written, or never reached */
    conform_verdict verdict;
} debug_run;

/* The id in words (debug_words.c). */
void debug_put_words(const conform_case *c, FILE *out);
/* Inputs; and of each output truth, result and error (debug_tables.c). */
void debug_put_inputs(const debug_run *r, FILE *out);
void debug_put_outputs(const debug_run *r, FILE *out);
/* All of it as .npy files (debug_files.c). */
IFN_NODISCARD ifn_status debug_write_files(const debug_run *r, const char *dir, ifn_error *err);

#endif
