/* Judges every op of a run by its own contract. Needed for backends that declare coarser arithmetic, as this makes the
 * bound of logits blunt. */
#ifndef CONFORM_E2E_REPLAY_H
#define CONFORM_E2E_REPLAY_H

#include "e2e_ways.h"

/* Runs the truth's ids once and adds a row of its own to the shared results (numerics 11.7). */
void e2e_replay_run(const e2e_trial *self, e2e_results *results);

#endif
