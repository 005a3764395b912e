/* Cases that come one by one: what a runner does with them, wherever they come from. */
#ifndef CONFORM_RUNNER_FEED_H
#define CONFORM_RUNNER_FEED_H

#include "runner_state.h"

/* Instead of a case: there will be no more; there is none now, ask again. */
enum { FEED_IS_OVER = -1, FEED_IS_LATER = -2 };

typedef struct conform_fed {
    const conform_case *c; /* copied before the next one is asked for */
    bool wants_digest;     /* of what the backend has written */
} conform_fed;

typedef struct conform_feed {
    void *cookie;
    /* Fills in the next case and returns the number that `take` gets as `at`; or one of the above. */
    int64_t (*next)(void *cookie, conform_fed *out);
    int64_t (*most)(void *cookie); /* how many to judge next without a look at others; NULL: any */
    /* Once per case and backend under test, in the order in which they were fed. */
    void (*take)(void *cookie, int64_t at, int tested, conform_verdict *verdict);
} conform_feed;

/* Makes the cases, has the runner's own workers judge them, and gives back the verdicts. */
IFN_NODISCARD ifn_status conform_runner_feed(conform_runner *self, const conform_feed *feed,
                                             ifn_error *err);

#endif
