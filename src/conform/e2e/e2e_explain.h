/* Why a run of a whole model fails: the first bad op (first_bad.h) of the very run. */
#ifndef CONFORM_E2E_EXPLAIN_H
#define CONFORM_E2E_EXPLAIN_H

#include "e2e_trial.h"
#include "first_bad.h"

typedef struct e2e_explain {
    const e2e_trial *trial;
    e2e_again again;  /* which run */
    int row;          /* of the shared results, that its one line belongs to; -1: none */
    const char *yaml; /* where the bad call goes as a file of cases; NULL: nowhere */
} e2e_explain;

/* Runs it again on a backend of its own, call by call. The text goes to shared results->text, a line for a
 * program to the row. To be called where a process may die: e2e_results_guard. */
void e2e_explain_run(const e2e_explain *self, e2e_results *results);

#endif
