/* The state of a runner: the backends under test, their workers, and the cases that these judge. */
#ifndef CONFORM_RUNNER_STATE_H
#define CONFORM_RUNNER_STATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "fresh.h"
#include "worker.h"

typedef struct conform_runner {
    const conform_tested *tested;
    int n_tested;
    spec_op *const *specs; /* by op; an entry may be NULL */
    int in_process;
    int n_jobs; /* processes that build cases, each with its own workers; 0 or 1: only this one */
    bool (*is_over)(void *cookie); /* asked now and then: true ends a run; NULL: none ends early */
    void *over_cookie;
    void (*look_ahead)(void *cookie); /* when all cases of a run are handed out; NULL: none */
    void *ahead_cookie;
    int n_other_sizes; /* other sizes that each case tries: other_sizes.h; 0: none */
    double patience;   /* seconds a single call may take */
    ifn_backend *scalar;
    conform_pool shared;
    conform_batch *batches[CONFORM_BATCHES]; /* two in turn; the last one for single cases */
    conform_channel *channels;
    conform_worker workers[CONFORM_MAX_TESTED];
    struct conform_crew *crew;          /* the n_jobs processes; NULL: not started yet */
    atomic_int *n_hung;                 /* calls that did not return; shared by all processes */
    char ended[CONFORM_MAX_TESTED][80]; /* how a worker has ended, if not with status 0; else "" */
    conform_judge judges[CONFORM_MAX_TESTED]; /* --in-process */
    conform_fresh fresh;                      /* of the current run */
    ifn_backend *backends[CONFORM_MAX_TESTED];
} conform_runner;

/* Called once per case and backend under test, in the order of the cases. */
typedef void (*conform_sink)(void *cookie, const conform_case *c, int tested,
                             const conform_verdict *verdict);

#endif
