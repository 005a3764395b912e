/*
 * Several processes for the cases of runs (`--jobs`): each builds cases and has workers of its own judge them. They
 * take cases a few at a time; the parent delivers verdicts in the order of the cases. They live from the first run that
 * is worth them to the runner's stop, so that memory which one run has touched is reused by the next.
 */
#ifndef CONFORM_RUNNER_JOBS_H
#define CONFORM_RUNNER_JOBS_H

#include <stdbool.h>

#include "runner_state.h"

/* True if there are enough cases for more than one process, and the runner may start some. */
bool conform_jobs_are_worth_it(const conform_runner *r, int64_t n);

/* As conform_runner_run, by r->n_jobs processes. Meanwhile the runner's own workers judge the cases that are chosen for
 * another process (runner_fresh.h). A failure ends all processes; the next run starts new ones. */
IFN_NODISCARD ifn_status conform_jobs_run(conform_runner *r, const conform_case *cases, int64_t n,
                                          conform_sink sink, void *cookie, ifn_error *err);

/* As conform_runner_announce, for cases that are worth it. */
void conform_jobs_announce(conform_runner *r, const conform_case *cases, int64_t n);

/* Ends the processes, if there are any, when they have done their work. The runner then tells how their workers ended
 * and what those have printed. */
void conform_jobs_stop(conform_runner *r);

#endif
