/* Runs one backend against the truth of a long prompt (numerics 11.2, long prompts). */
#ifndef CONFORM_E2E_LONG_H
#define CONFORM_E2E_LONG_H

#include "e2e_ways.h"

/* Runs every cut of a truth that has cuts. */
void e2e_long_run(const e2e_trial *self, e2e_results *results);

#endif
