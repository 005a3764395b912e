/*
 * The parent: makes cases ready, hands them to one worker per backend, collects verdicts. While the
 * workers judge one batch, the parent fills the next.
 */
#ifndef CONFORM_RUNNER_H
#define CONFORM_RUNNER_H

#include <stdbool.h>

#include "worker.h"

/* A few cases of a run that another process has judged before: R0 between processes. */
enum { FRESH_CASES = 4 };

typedef struct conform_fresh {
    int n;
    int64_t at[FRESH_CASES]; /* which cases of the run */
    uint64_t digest[CONFORM_MAX_SUBJECTS][FRESH_CASES];
} conform_fresh;

typedef struct conform_runner {
    const conform_subject *subjects;
    int n_subjects;
    spec_op *const *specs; /* by op; an entry may be NULL */
    int in_process;
    int n_jobs; /* processes that make cases, each with workers of its own; 0 or 1: this one does */
    bool (*is_over)(void *cookie); /* asked now and then: true ends a run; NULL: none ends early */
    void *over_cookie;
    double patience; /* seconds a single call may take */
    ifn_backend *scalar;
    conform_pool shared;
    conform_batch *batches[CONFORM_BATCHES]; /* two in turn; the last one for single cases */
    conform_channel *channels;
    conform_worker workers[CONFORM_MAX_SUBJECTS];
    int n_hung[CONFORM_MAX_SUBJECTS];     /* calls that did not return */
    char ended[CONFORM_MAX_SUBJECTS][80]; /* how a process did that should have ended well; "" */
    conform_judge judges[CONFORM_MAX_SUBJECTS]; /* --in-process */
    conform_fresh fresh;                        /* of the run that is under way */
    ifn_backend *backends[CONFORM_MAX_SUBJECTS];
} conform_runner;

/* Called once per case and subject, in the order of the cases. */
typedef void (*conform_sink)(void *cookie, const conform_case *c, int subject,
                             const conform_verdict *verdict);

/* Fields set by the caller before: subjects, n_subjects, specs, in_process, patience. */
IFN_NODISCARD ifn_status conform_runner_open(conform_runner *self, ifn_error *err);
void conform_runner_close(conform_runner *self);

/* Ends the processes of the subjects; nothing can be run any more. `ended` tells of those that did
 * not end with status 0: what a sanitizer has found shows nowhere else. What they have printed is
 * shown on standard error, as their words. */
void conform_runner_stop(conform_runner *self);

/* Runs cases on every subject, many of them by `n_jobs` processes. */
IFN_NODISCARD ifn_status conform_runner_run(conform_runner *self, const conform_case *cases,
                                            int64_t n, conform_sink sink, void *cookie,
                                            ifn_error *err);

/* 1: whoever the cookie belongs to has seen enough. */
typedef int (*conform_is_enough)(void *cookie);

/* The same a few at a time, and then more, until there is enough: for who looks for one failure. */
IFN_NODISCARD ifn_status conform_runner_run_until(conform_runner *self, const conform_case *cases,
                                                  int64_t n, conform_sink sink,
                                                  conform_is_enough is_enough, void *cookie,
                                                  ifn_error *err);

/* One case on one subject, while no run is under way. */
IFN_NODISCARD ifn_status conform_runner_try(conform_runner *self, int subject,
                                            const conform_case *c, conform_verdict *out,
                                            ifn_error *err);
/* The same for a GOLDEN case whose values are those of `entry`, not of the spec. */
IFN_NODISCARD ifn_status conform_runner_try_written(conform_runner *self, int subject,
                                                    const conform_case *c, const spec_entry *entry,
                                                    conform_verdict *out, ifn_error *err);
/* What the scalar backend, in this process, makes of such a case. */
IFN_NODISCARD ifn_status conform_runner_try_scalar(conform_runner *self, const conform_case *c,
                                                   const spec_entry *entry, conform_verdict *out,
                                                   ifn_error *err);

#endif
