/*
 * The runner, in the parent process: builds cases, hands them to one worker per backend and collects verdicts. While
 * the workers judge one batch, the parent fills the next.
 */
#ifndef CONFORM_RUNNER_H
#define CONFORM_RUNNER_H

#include <stdbool.h>

#include "runner_state.h"

/* The caller sets before: the backends under test (tested, n_tested), specs, in_process, patience. */
IFN_NODISCARD ifn_status conform_runner_open(conform_runner *self, ifn_error *err);
void conform_runner_close(conform_runner *self);

/* Ends the workers; no case can be run afterwards. `ended` names those that did not exit with status 0: the findings of
 * a sanitizer show nowhere else. Their output is shown on standard error. */
void conform_runner_stop(conform_runner *self);

/* Runs cases on every backend under test; if there are many, by `n_jobs` processes. */
IFN_NODISCARD ifn_status conform_runner_run(conform_runner *self, const conform_case *cases,
                                            int64_t n, conform_sink sink, void *cookie,
                                            ifn_error *err);

/* Announces the cases of the next run: processes begin these when all cases of the current run are taken. If the next
 * run is another one, it first waits for those that have begun. The cases must stay in memory. */
void conform_runner_announce(conform_runner *self, const conform_case *cases, int64_t n);

/* True if the owner of the cookie has seen enough. */
typedef bool (*conform_is_enough)(void *cookie);

/* The same a few cases at a time, then more, until there is enough: for a search for one failure. */
IFN_NODISCARD ifn_status conform_runner_run_until(conform_runner *self, const conform_case *cases,
                                                  int64_t n, conform_sink sink,
                                                  conform_is_enough is_enough, void *cookie,
                                                  ifn_error *err);

/* Runs one case on one backend under test, while no run is under way. */
IFN_NODISCARD ifn_status conform_runner_try(conform_runner *self, int tested, const conform_case *c,
                                            conform_verdict *out, ifn_error *err);
/* The same in a search for a failure of `check`, which may take processes of its own. */
IFN_NODISCARD ifn_status conform_runner_try_for(conform_runner *self, int tested,
                                                conform_check check, const conform_case *c,
                                                conform_verdict *out, ifn_error *err);
/* The same for a GOLDEN case with the values of `entry` in place of the spec's. */
IFN_NODISCARD ifn_status conform_runner_try_written(conform_runner *self, int tested,
                                                    const conform_case *c, const spec_entry *entry,
                                                    conform_verdict *out, ifn_error *err);
/* Judges the scalar backend on such a case, in this process. */
IFN_NODISCARD ifn_status conform_runner_try_scalar(conform_runner *self, const conform_case *c,
                                                   const spec_entry *entry, conform_verdict *out,
                                                   ifn_error *err);

#endif
