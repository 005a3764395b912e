/* The state with which one backend is judged, case after case, and the shared memory that says where its worker is. */
#ifndef CONFORM_JUDGE_SESSION_H
#define CONFORM_JUDGE_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "case_pool.h"
#include "device_blocks.h"
#include "device_image.h"
#include "guard_block.h"
#include "process_state.h"
#include "slot.h"
#include "verdict.h"

/* Runs that fail the check of another run. X(NAME, check, its name in messages) */
/* clang-format off */
#define CONFORM_MORE_RUNS(X)                                 \
    X(START, PLACE, "tensors flush against their beginnings") \
    X(WHOLE, PARTS, "in one call")                           \
    X(DUEL, THREADS, "beside another call")                  \
    X(STARVED, PREPARE, "weights prepared without memory")   \
    X(HANDLES, PREPARE, "since prepare")                     \
    X(OTHERS, PREPARE, "beside other handles")               \
    X(ELDER, INSTANCE, "on a later instance")
/* clang-format on */

/* The purpose of a run of the op: the check of the same name. */
typedef enum conform_run {
#define X(NAME, ...) RUN_##NAME,
    CONFORM_CHECKS(X) CONFORM_MORE_RUNS(X)
#undef X
        RUN_COUNT
} conform_run;

conform_check conform_run_check(conform_run run);
const char *conform_run_name(conform_run run);

/* Places that a wild address is compared with, to name the nearest: tensors, scratch, and blocks from prepare. */
enum {
    CONFORM_BLOCKS = 16,
    CONFORM_SCRATCH_PLACE = CONFORM_MAX_TENSORS,
    CONFORM_UNUSED_PLACE, /* array entries that a call does not use */
    CONFORM_PAGES_PLACE,  /* the block table; entries past its end must not be read */
    CONFORM_FIRST_BLOCK,
    CONFORM_PLACES = CONFORM_FIRST_BLOCK + CONFORM_BLOCKS
};

/* How the first call of a process is made. */
enum {
    FIRST_ORDINARY,
    FIRST_COUNTED, /* the judge counts its writes to memory that calls share */
    FIRST_STOPPED, /* from here on the judge stops it, each time at another place */
    FIRST_ATTEMPTS = 12
};
/* In place of a number of writes. UNKNOWN: they cannot be counted. OWN: they cannot, as the op is part of this
 * program. */
enum { FIRST_UNKNOWN = -1, FIRST_OWN = -2 };

/* Set by the parent before the first case of a worker. */
typedef struct conform_first {
    int32_t attempt;
    int32_t writes;     /* as the attempt FIRST_COUNTED has counted */
    int32_t is_watched; /* writes are watched now: a worker that dies silently died of that */
    uint64_t called;    /* 1 << op for each op that was called in this process */
} conform_first;

/* Where a worker is, in shared memory: the parent reads it after the worker has died. */
typedef struct conform_site {
    atomic_int_least64_t step; /* grows with every call, for the watchdog */
    int32_t slot;              /* index in the batch; -1: between cases */
    int32_t run;               /* conform_run */
    uint64_t begun;            /* ifn_clock_ns() at the case's begin: its duration, if it dies */
    struct conform_site_place {
        const char *name; /* static, so valid in parent and worker; NULL: no place */
        uintptr_t begin;
        size_t bytes;
        uintptr_t first, last; /* bounds of its region, protected pages included */
    } places[CONFORM_PLACES];
    int32_t is_other; /* 1: the worker runs `other` instead of the slot's case: judge_sizes.h */
    conform_case other;
    int32_t signal; /* 0: none was caught */
    int32_t access; /* conform_access that the signal was for */
    uintptr_t address;
    conform_first first;
    uint64_t detectors; /* 1 << detector for each one taken away: detectors.h */
} conform_site;

/* Calls carry lanes 0 .. CONFORM_LANES - 1, for which a judged backend is opened. At most CONFORM_THREADS calls run at
 * once; there are more lanes, so that two of them may differ in a high bit alone. */
enum { CONFORM_THREADS = 8, CONFORM_LANES = 32 };

/* Lane i of a few, `step` (a power of two) apart while the lanes last; different for each i. */
static inline int32_t conform_lane_of(int first, int i, int step, int n_lanes)
{
    return (first + i * step + i / (n_lanes > step ? n_lanes / step : 1)) % n_lanes;
}

/* A callback for the first run of a case: results[i] is tensor i, NULL if the op does not write it, and truth[i] is
 * what judged it. Both live until the next case. */
typedef void conform_watch(void *cookie, const conform_slot *slot, unsigned char *const *results,
                           const conform_truth *truth);

/* Opens another instance of the judged backend. Before that, `hear` charges to the case what the process has printed so
 * far; after the instance is closed, `hear` discards what the process has printed since. */
typedef struct conform_reopen {
    ifn_status (*open)(void *cookie, ifn_backend **out, ifn_error *err);
    void (*hear)(void *cookie,
                 conform_verdict *verdict); /* verdict NULL: what it has printed is discarded */
    void *cookie;
} conform_reopen;

typedef struct conform_judge {
    ifn_backend *backend;
    conform_reopen reopen; /* open NULL: not possible */
    conform_site *site;    /* may be NULL */
    guard_arena arena;
    guard_block blocks[CONFORM_BLOCKS]; /* allocated by prepare, until freed */
    device_image image;                 /* the tensors on a device, if the backend is one, */
    device_blocks there;                /* and the blocks there, from prepare to release */
    conform_pool pool;                  /* memory of the current case */
    conform_pool beside;                /* of other sizes that are tried after it: judge_sizes.h */
    ifn_backend *scalar;                /* which those are compared with; NULL: no other sizes */
    conform_watch *watch;               /* NULL: none */
    void *watch_cookie;
    process_fixtures fixtures; /* as of when the judge was opened, or last looked */
    int64_t held;              /* process_holdings_hint() as of then */
    pid_t process;
    bool is_traced; /* by a debugger, which claims SIGTRAP of single steps */
} conform_judge;

void conform_judge_open(conform_judge *self, ifn_backend *backend, conform_site *site);
void conform_judge_close(conform_judge *self); /* does not close the backend */

#endif
