/* Makes every run of one backend against one truth: all ways, chunkings, thread counts, and greedy generation. */
#ifndef CONFORM_E2E_TRIAL_H
#define CONFORM_E2E_TRIAL_H

#include "e2e_ways.h"

/* Adds its rows to the shared results. */
void e2e_trial_run(const e2e_trial *self, e2e_results *results);

#endif
