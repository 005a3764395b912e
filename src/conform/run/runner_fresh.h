/*
 * R0 between processes: a few cases of every run are judged by the workers of the last one, which
 * leave then; those that judge all cases afterwards are new, and must give the same bits.
 */
#ifndef CONFORM_RUNNER_FRESH_H
#define CONFORM_RUNNER_FRESH_H

#include "runner.h"

/* Before a run of n cases: chooses, judges and notes; then all workers are new. */
IFN_NODISCARD ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases, int64_t n,
                                           ifn_error *err);

/* 1 if case i of the run is one of them. */
int conform_fresh_has(const conform_fresh *fresh, int64_t i);

/* Counts the relation for case i of the run, if it is one of them; other bits fail it. */
void conform_fresh_compare(const conform_fresh *fresh, int64_t i, int subject,
                           conform_verdict *verdict);

/* runner.c: judges cases[at[0 .. n)] on all subjects in the single batch, the last one first. */
IFN_NODISCARD ifn_status conform_runner_sample(conform_runner *self, const conform_case *cases,
                                               const int64_t *at, int n, ifn_error *err);

#endif
