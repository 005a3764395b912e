/* Every run of one backend against one truth: ways, chunkings, threads, and by itself. */
#ifndef CONFORM_E2E_TRIAL_H
#define CONFORM_E2E_TRIAL_H

#include "e2e_ways.h"

/* Runs them all; rows are added to the shared results. */
void e2e_trial_run(const e2e_trial *self, e2e_results *results);

#endif
