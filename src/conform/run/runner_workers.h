/* Starting, feeding, watching and burying worker processes. */
#ifndef CONFORM_RUNNER_WORKERS_H
#define CONFORM_RUNNER_WORKERS_H

#include "runner_state.h"

/* Forks the worker of a backend under test and waits until its backend is open. */
IFN_NODISCARD ifn_status conform_worker_start(conform_runner *r, int tested, ifn_error *err);
/* Tells it to leave, and notes in `ended` how it did, unless well. One that stays is killed. */
void conform_worker_stop(conform_runner *r, int tested);
/* Slots first .. n of a batch. */
void conform_worker_post(conform_runner *r, int tested, int batch, int first);
/* Returns when every worker is idle; those that died or hung are charged and restarted. */
IFN_NODISCARD ifn_status conform_workers_wait(conform_runner *r, ifn_error *err);

#endif
