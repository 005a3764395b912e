/* Every op of a model's run held to its own contract, where a declaration makes logits blunt. */
#ifndef CONFORM_E2E_REPLAY_H
#define CONFORM_E2E_REPLAY_H

#include "e2e_ways.h"

/* One run of the truth's ids, added to the shared results as a row of its own (numerics 11.7). */
void e2e_replay_run(const e2e_trial *self, e2e_results *results);

#endif
