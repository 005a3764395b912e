/* Batches of cases: made ready by this process, handed to the workers of the backends. */
#ifndef CONFORM_RUNNER_BATCH_H
#define CONFORM_RUNNER_BATCH_H

#include <stdbool.h>

#include "runner_state.h"

/* Memory that the runner shares with workers to come, of which it has none so far. */
void conform_runner_share(conform_runner *self);

/* NULL: the runner has none. */
const spec_op *runner_spec_of(const conform_runner *self, ifn_op op);

void runner_batch_empty(conform_batch *b);
/* Makes a case ready in the next slot. `spec` NULL: the runner's own. */
IFN_NODISCARD ifn_status runner_batch_add(conform_runner *self, conform_batch *b,
                                          const conform_case *c, const spec_op *spec,
                                          ifn_error *err);
bool runner_batch_is_full(const conform_batch *b);

/* Has a backend judge the batch; all of them. Who asks waits by conform_workers_wait. */
void runner_batch_post(conform_runner *self, int batch, int tested);
void runner_batch_post_all(conform_runner *self, int batch);

#endif
