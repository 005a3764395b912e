/* Batches of cases: built by this process, handed to the workers of the backends. */
#ifndef CONFORM_RUNNER_BATCH_H
#define CONFORM_RUNNER_BATCH_H

#include <stdbool.h>

#include "runner_state.h"

/* Allocates the memory that the runner shares with its workers, before it has any. */
void conform_runner_share(conform_runner *self);

/* The spec of an op; NULL: the runner has none. */
const spec_op *runner_spec_of(const conform_runner *self, ifn_op op);

void runner_batch_empty(conform_batch *b);
/* Builds a case in the next slot. `spec` NULL: the runner's own. */
IFN_NODISCARD ifn_status runner_batch_add(conform_runner *self, conform_batch *b,
                                          const conform_case *c, const spec_op *spec,
                                          ifn_error *err);
bool runner_batch_is_full(const conform_batch *b);

/* Has one backend, or all, judge the batch. The caller waits by conform_workers_wait. */
void runner_batch_post(conform_runner *self, int batch, int tested);
void runner_batch_post_all(conform_runner *self, int batch);

#endif
