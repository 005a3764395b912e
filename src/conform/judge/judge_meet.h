/*
 * A meeting of two calls: a signal stops the first call in its middle, its handler waits while the other call runs as a
 * whole on another thread, and the first goes on. This works on one core, too. One meeting at a time in a process.
 */
#ifndef CONFORM_JUDGE_MEET_H
#define CONFORM_JUDGE_MEET_H

#include <stdbool.h>

#include "invoke.h"
#include "write_trap.h"

typedef ifn_status judge_other_fn(void *cookie);

/* The other call, and the longest time that the first waits for it. The other may legally wait for a lock that the
 * first holds. */
typedef struct judge_meeting {
    judge_other_fn *other;
    void *cookie;
    int64_t wait_us;
} judge_meeting;

/* Returns false without a thread or a timer; nothing is left open then. */
bool judge_meet_open(const judge_meeting *meeting);
void judge_meet_close(void);

/* Where the first call is stopped: n_steps instructions after a time; or after its n-th write to watched memory; or
 * after its beginning, if there is neither. */
typedef struct judge_stop_at {
    int64_t ns; /* 0: no timer */
    int n_steps;
    const write_trap *watched; /* NULL: none */
    int n_writes;              /* 0: writes are only counted */
} judge_stop_at;

/* Makes the first call; with until_stopped it repeats the call until one has been stopped. */
ifn_status judge_meet_call(ifn_backend *backend, conform_op_fn call, ifn_args *first,
                           const judge_stop_at *at, bool until_stopped);
/* Brackets code that judge_meet_call cannot call. Between enter and leave this thread is stopped the same way, but only
 * after steps or writes, not after a time. */
void judge_meet_enter(const judge_stop_at *at);
void judge_meet_leave(void);
/* How often the first call has been stopped since the meeting was opened. */
int judge_meet_stops(void);
/* Waits until the other has run that often, and returns how often. */
int judge_meet_wait(void);
/* The latest status of the other that was not IFN_OK, else IFN_OK. */
ifn_status judge_meet_status(void);
/* How many watched writes the latest first call has made. */
int judge_meet_writes(void);

#endif
