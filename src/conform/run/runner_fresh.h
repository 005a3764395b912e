/*
 * R0 between processes: the runner's workers judge a few cases of every run and then exit; other processes judge all
 * cases and must give the same bits. The first call of each worker meets another call (judge_first.c); further new
 * processes repeat that while it may show more.
 */
#ifndef CONFORM_RUNNER_FRESH_H
#define CONFORM_RUNNER_FRESH_H

#include "runner_state.h"

/* Chooses cases of a run of n cases. */
void conform_fresh_choose(const conform_runner *r, const conform_case *cases, int64_t n,
                          conform_fresh *out);

/* Judges the chosen cases, notes the results and renews the runner's workers. */
IFN_NODISCARD ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases,
                                           ifn_error *err);

/* Tries one case on one backend as the first call of a new process, in each kind of attempt, until it fails. */
IFN_NODISCARD ifn_status conform_first_try(conform_runner *r, int tested, const conform_case *c,
                                           conform_verdict *out, ifn_error *err);

#endif
