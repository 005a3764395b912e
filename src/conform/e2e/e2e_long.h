/* The runs of one backend against the truth of a long prompt (numerics 11.2, long prompts). */
#ifndef CONFORM_E2E_LONG_H
#define CONFORM_E2E_LONG_H

#include "e2e_ways.h"

/* For a truth with cuts: every one of them is run. */
void e2e_long_run(const e2e_trial *self, e2e_results *results);

#endif
