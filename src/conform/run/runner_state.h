/* What a runner holds: the backends that are judged, their workers, and the cases in their hands. */
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
    int n_jobs; /* processes that make cases, each with workers of its own; 0 or 1: this one does */
    bool (*is_over)(void *cookie); /* asked now and then: true ends a run; NULL: none ends early */
    void *over_cookie;
    void (*look_ahead)(void *cookie); /* when all cases of a run are in other hands; NULL: nobody */
    void *ahead_cookie;
    int n_other_sizes; /* that cases of a run have tried: other_sizes.h; 0: none */
    double patience;   /* seconds a single call may take */
    ifn_backend *scalar;
    conform_pool shared;
    conform_batch *batches[CONFORM_BATCHES]; /* two in turn; the last one for single cases */
    conform_channel *channels;
    conform_worker workers[CONFORM_MAX_TESTED];
    struct conform_crew *crew;          /* of n_jobs; NULL: there was no use for it yet */
    atomic_int *n_hung;                 /* calls that did not return; shared by all processes */
    char ended[CONFORM_MAX_TESTED][80]; /* how a process did that should have ended well; "" */
    conform_judge judges[CONFORM_MAX_TESTED]; /* --in-process */
    conform_fresh fresh;                      /* of the run that is under way */
    ifn_backend *backends[CONFORM_MAX_TESTED];
} conform_runner;

/* Called once per case and backend under test, in the order of the cases. */
typedef void (*conform_sink)(void *cookie, const conform_case *c, int tested,
                             const conform_verdict *verdict);

#endif
