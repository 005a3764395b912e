/* What one backend is judged with, case after case, and where its worker is. */
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

/* Runs that find what another one finds, too. X(NAME, check, what it is called in messages) */
/* clang-format off */
#define CONFORM_MORE_RUNS(X)                                 \
    X(START, PLACE, "tensors flush against their beginnings") \
    X(WHOLE, PARTS, "in one call")                           \
    X(DUEL, THREADS, "beside another call")                  \
    X(HANDLES, PREPARE, "since prepare")                     \
    X(OTHERS, PREPARE, "beside other handles")               \
    X(ELDER, INSTANCE, "on a later instance")
/* clang-format on */

/* What a run of the op is for: for the check of the same name. */
typedef enum conform_run {
#define X(NAME, ...) RUN_##NAME,
    CONFORM_CHECKS(X) CONFORM_MORE_RUNS(X)
#undef X
        RUN_COUNT
} conform_run;

conform_check conform_run_check(conform_run run);
const char *conform_run_name(conform_run run);

/* What a wild address is told from: tensors, scratch, and what prepare asked for. */
enum {
    CONFORM_BLOCKS = 16,
    CONFORM_SCRATCH_PLACE = CONFORM_MAX_TENSORS,
    CONFORM_UNUSED_PLACE, /* entries of arrays that a call does not use */
    CONFORM_PAGES_PLACE,  /* the block table, whose later entries are not read */
    CONFORM_FIRST_BLOCK,
    CONFORM_PLACES = CONFORM_FIRST_BLOCK + CONFORM_BLOCKS
};

/* How the first call of a process is made. */
enum {
    FIRST_ORDINARY,
    FIRST_COUNTED, /* its writes to memory that calls share are counted */
    FIRST_STOPPED, /* from here on it is stopped, each time at another place */
    FIRST_ATTEMPTS = 12
};
/* Instead of a number of writes: nobody can tell; and nobody can, as the op is this program's. */
enum { FIRST_UNKNOWN = -1, FIRST_OWN = -2 };

/* Set by the parent before the first case of a worker. */
typedef struct conform_first {
    int32_t attempt;
    int32_t writes;     /* as FIRST_COUNTED has left them */
    int32_t is_watched; /* such a call is under way: who dies without a word has died of it */
    uint64_t called;    /* 1 << op, of those that have been */
} conform_first;

/* Where a worker is: read by the parent after the worker has died. In shared memory. */
typedef struct conform_site {
    atomic_int_least64_t step; /* grows with every call: the watchdog's pulse */
    int32_t slot;              /* of the batch; -1: between cases */
    int32_t run;               /* conform_run */
    uint64_t begun;            /* ifn_clock_ns() when the case was: its time, if it dies */
    struct conform_site_place {
        const char *name; /* static: the same in parent and worker; NULL: nothing is there */
        uintptr_t begin;
        size_t bytes;
        uintptr_t first, last; /* of the region it is in, which ends after protected pages */
    } places[CONFORM_PLACES];
    int32_t is_other; /* 1: not at the case of the slot, but at this one: judge_sizes.h */
    conform_case other;
    int32_t signal; /* 0: none was caught */
    int32_t access; /* conform_access: what it died of */
    uintptr_t address;
    conform_first first;
    uint64_t detectors; /* 1 << detector, that have been taken away: detectors.h */
} conform_site;

/* Calls carry lanes 0 .. CONFORM_LANES - 1: what a backend that is judged is opened for. At once are
 * at most CONFORM_THREADS of them: lanes are more, so that two may be equal but for a high bit. */
enum { CONFORM_THREADS = 8, CONFORM_LANES = 32 };

/* Lane i of a few, `step` apart as long as there are such, a power of two; another for each i. */
static inline int32_t conform_lane_of(int first, int i, int step, int n_lanes)
{
    return (first + i * step + i / (n_lanes > step ? n_lanes / step : 1)) % n_lanes;
}

/* Told of the first run of a case: results[i] is tensor i, NULL where the op does not write it, and
 * truth[i] what it was judged by. Both live until the next case. */
typedef void conform_watch(void *cookie, const conform_slot *slot, unsigned char *const *results,
                           const conform_truth *truth);

/* Opens the backend that is judged once more; and is told before that, and when it is closed again:
 * what they print is nobody's. */
typedef struct conform_reopen {
    ifn_status (*open)(void *cookie, ifn_backend **out, ifn_error *err);
    void (*hear)(void *cookie,
                 conform_verdict *verdict); /* verdict NULL: what is heard is forgotten */
    void *cookie;
} conform_reopen;

typedef struct conform_judge {
    ifn_backend *backend;
    conform_reopen reopen; /* open NULL: it cannot be */
    conform_site *site;    /* may be NULL */
    guard_arena arena;
    guard_block blocks[CONFORM_BLOCKS]; /* what prepare has asked for, until it is given back */
    device_image image;                 /* of tensors on a device, where the backend is one, */
    device_blocks there;                /* and of blocks: from prepare to release */
    conform_pool pool;                  /* of the case at hand */
    conform_pool beside;                /* of others that are tried after it: judge_sizes.h */
    ifn_backend *scalar;                /* which these are compared with; NULL: there are none */
    conform_watch *watch;               /* NULL: nobody wants to know */
    void *watch_cookie;
    process_fixtures fixtures; /* as they were when it was opened, or last looked at */
    int64_t held;              /* process_holdings_hint(), as of then */
    pid_t process;
    bool is_traced; /* by a debugger, which takes single steps for its own */
} conform_judge;

void conform_judge_open(conform_judge *self, ifn_backend *backend, conform_site *site);
void conform_judge_close(conform_judge *self); /* not the backend */

#endif
