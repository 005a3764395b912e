/*
 * The parent: makes cases ready, hands them to one worker per backend, collects verdicts. While the
 * workers judge one batch, the parent fills the next.
 */
#ifndef CONFORM_RUNNER_H
#define CONFORM_RUNNER_H

#include <stdbool.h>

#include "runner_state.h"

/* Fields set by the caller before: backends under test, n_tested, specs, in_process, patience. */
IFN_NODISCARD ifn_status conform_runner_open(conform_runner *self, ifn_error *err);
void conform_runner_close(conform_runner *self);

/* Ends the processes of the backends under test; nothing can be run any more. `ended` tells of those that did
 * not end with status 0: what a sanitizer has found shows nowhere else. What they have printed is
 * shown on standard error, as their words. */
void conform_runner_stop(conform_runner *self);

/* Runs cases on every backend under test, many of them by `n_jobs` processes. */
IFN_NODISCARD ifn_status conform_runner_run(conform_runner *self, const conform_case *cases,
                                            int64_t n, conform_sink sink, void *cookie,
                                            ifn_error *err);

/* What the run after the one under way will be of: its processes begin these cases when all of its own
 * are taken. Whoever runs others instead only waits for those that have begun. The cases stay where
 * they are. */
void conform_runner_announce(conform_runner *self, const conform_case *cases, int64_t n);

/* 1: whoever the cookie belongs to has seen enough. */
typedef bool (*conform_is_enough)(void *cookie);

/* The same a few at a time, and then more, until there is enough: for who looks for one failure. */
IFN_NODISCARD ifn_status conform_runner_run_until(conform_runner *self, const conform_case *cases,
                                                  int64_t n, conform_sink sink,
                                                  conform_is_enough is_enough, void *cookie,
                                                  ifn_error *err);

/* One case on one backend under test, while no run is under way. */
IFN_NODISCARD ifn_status conform_runner_try(conform_runner *self, int tested, const conform_case *c,
                                            conform_verdict *out, ifn_error *err);
/* The same for who looks for a failure by `check`, which may take processes of its own. */
IFN_NODISCARD ifn_status conform_runner_try_for(conform_runner *self, int tested,
                                                conform_check check, const conform_case *c,
                                                conform_verdict *out, ifn_error *err);
/* The same for a GOLDEN case whose values are those of `entry`, not of the spec. */
IFN_NODISCARD ifn_status conform_runner_try_written(conform_runner *self, int tested,
                                                    const conform_case *c, const spec_entry *entry,
                                                    conform_verdict *out, ifn_error *err);
/* What the scalar backend, in this process, makes of such a case. */
IFN_NODISCARD ifn_status conform_runner_try_scalar(conform_runner *self, const conform_case *c,
                                                   const spec_entry *entry, conform_verdict *out,
                                                   ifn_error *err);

#endif
