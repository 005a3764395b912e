/*
 * R0 between processes: a few cases of every run are judged by the runner's workers, which leave then, and by
 * others: those that judge all cases, which must give the same bits. The first call
 * of each of them is made beside another (judge_first.c), in one process more after the other where that shows more.
 */
#ifndef CONFORM_RUNNER_FRESH_H
#define CONFORM_RUNNER_FRESH_H

#include "runner_state.h"

/* Which of a run of n cases. */
void conform_fresh_choose(const conform_runner *r, const conform_case *cases, int64_t n,
                          conform_fresh *out);

/* Judges and notes what was chosen; then the runner's workers are new. */
IFN_NODISCARD ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases,
                                           ifn_error *err);

/* One case on one backend, the first call of a process in each of its attempts: until it fails by that. */
IFN_NODISCARD ifn_status conform_first_try(conform_runner *r, int tested, const conform_case *c,
                                           conform_verdict *out, ifn_error *err);

#endif
