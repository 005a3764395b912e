/*
 * R0 between processes: a few cases of every run are judged by the workers of the last one, which
 * leave then; those that judge all cases afterwards are new, and must give the same bits.
 */
#ifndef CONFORM_RUNNER_FRESH_H
#define CONFORM_RUNNER_FRESH_H

#include "runner_state.h"

/* Before a run of n cases: chooses, judges and notes; then all workers are new. */
IFN_NODISCARD ifn_status conform_fresh_run(conform_runner *r, const conform_case *cases, int64_t n,
                                           ifn_error *err);

#endif
