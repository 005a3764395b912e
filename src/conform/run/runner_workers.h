/* Starts, feeds, watches and replaces worker processes. */
#ifndef CONFORM_RUNNER_WORKERS_H
#define CONFORM_RUNNER_WORKERS_H

#include "runner_state.h"

/* Forks the worker of a backend under test and waits until its backend is open. */
IFN_NODISCARD ifn_status conform_worker_start(conform_runner *r, int tested, ifn_error *err);
/* Tells the worker to exit, and notes in `ended` how it did, unless with status 0. Kills one that does not exit. */
void conform_worker_stop(conform_runner *r, int tested);
/* Has the worker judge slots first .. n - 1 of a batch. */
void conform_worker_post(conform_runner *r, int tested, int batch, int first);
/* Waits until every worker is idle. The case of a worker that died or hung fails, and the worker is restarted. */
IFN_NODISCARD ifn_status conform_workers_wait(conform_runner *r, ifn_error *err);

#endif
