/*
 * Several processes for the cases of runs (`--jobs`): each makes cases and has workers of its own
 * judge them. They take cases a few at a time; the parent tells of them in their order. They live
 * from the first run that is worth them to the runner's stop: memory that one run has touched is
 * there for the next.
 */
#ifndef CONFORM_RUNNER_JOBS_H
#define CONFORM_RUNNER_JOBS_H

#include <stdbool.h>

#include "runner_state.h"

/* Enough cases for more than one process, and a runner that may start some. */
bool conform_jobs_are_worth_it(const conform_runner *r, int64_t n);

/* As conform_runner_run, by r->n_jobs processes. What of it is chosen to be judged in another
 * process (runner_fresh.h) is judged by the runner's own workers meanwhile. After a failure there
 * are no processes; the next run starts others. */
IFN_NODISCARD ifn_status conform_jobs_run(conform_runner *r, const conform_case *cases, int64_t n,
                                          conform_sink sink, void *cookie, ifn_error *err);

/* As conform_runner_announce, of cases that are worth it. */
void conform_jobs_announce(conform_runner *r, const conform_case *cases, int64_t n);

/* Ends them, if there are any, when they have done what they were given. How their workers ended,
 * and what those have printed, is then said by the runner. */
void conform_jobs_stop(conform_runner *r);

#endif
