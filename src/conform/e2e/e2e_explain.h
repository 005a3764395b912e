/* Explains a failed run of a whole model: repeats the run and finds its first bad op (first_bad.h). */
#ifndef CONFORM_E2E_EXPLAIN_H
#define CONFORM_E2E_EXPLAIN_H

#include "e2e_trial.h"
#include "first_bad.h"

typedef struct e2e_explain {
    const e2e_trial *trial;
    e2e_again again;  /* the run to repeat */
    int row;          /* the row of the shared results that gets the line; -1: none */
    const char *yaml; /* path of the file of cases for the bad call; NULL: none is written */
} e2e_explain;

/* Runs it again call by call on a backend that it opens itself. Writes the text for people to results->text and one
 * line to the row. The backend may crash, so call this within e2e_results_guard. */
void e2e_explain_run(const e2e_explain *self, e2e_results *results);

#endif
