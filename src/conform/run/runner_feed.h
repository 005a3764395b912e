/* A feed: a source of cases that come one by one, and a sink of their verdicts. */
#ifndef CONFORM_RUNNER_FEED_H
#define CONFORM_RUNNER_FEED_H

#include "runner_state.h"

/* Returned in place of a case: there are no more; there is none now, ask again. */
enum { FEED_IS_OVER = -1, FEED_IS_LATER = -2 };

typedef struct conform_fed {
    const conform_case *c; /* copied before `next` is called again */
    bool wants_digest;     /* of the backend's results */
} conform_fed;

typedef struct conform_feed {
    void *cookie;
    /* Fills in the next case and returns its number, which `take` gets as `at`; or returns one of the above. */
    int64_t (*next)(void *cookie, conform_fed *out);
    int64_t (*most)(void *cookie); /* the most cases for the next batch; NULL: any */
    /* Called once per case and backend under test, in the order in which cases were fed. */
    void (*take)(void *cookie, int64_t at, int tested, conform_verdict *verdict);
} conform_feed;

/* Builds the cases, has the runner's own workers judge them, and returns the verdicts. */
IFN_NODISCARD ifn_status conform_runner_feed(conform_runner *self, const conform_feed *feed,
                                             ifn_error *err);

#endif
