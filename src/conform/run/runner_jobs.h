/*
 * Several processes for the cases of one run (`--jobs`): each makes cases and has workers of its
 * own judge them. They take cases a few at a time; the parent tells of them in their order.
 */
#ifndef CONFORM_RUNNER_JOBS_H
#define CONFORM_RUNNER_JOBS_H

#include <stdbool.h>

#include "runner_state.h"

/* Enough cases for more than one process, and a runner that may start some. */
bool conform_jobs_are_worth_it(const conform_runner *r, int64_t n);

/* As conform_runner_run, by r->n_jobs processes that live as long as the run. */
IFN_NODISCARD ifn_status conform_jobs_run(conform_runner *r, const conform_case *cases, int64_t n,
                                          conform_sink sink, void *cookie, ifn_error *err);

#endif
