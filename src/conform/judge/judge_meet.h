/*
 * Two calls that meet: the first is stopped in its midst, the other runs as a whole on another
 * thread, and the first goes on. Where the processor has one core, too: a signal stops the first
 * call, and its handler waits for the other thread. One meeting at a time in a process.
 */
#ifndef CONFORM_JUDGE_MEET_H
#define CONFORM_JUDGE_MEET_H

#include <stdbool.h>

#include "invoke.h"
#include "write_trap.h"

typedef ifn_status judge_other_fn(void *cookie);

/* The other call, and for how long the first waits for it at most: it may also want what the first one holds, which is
 * its right. */
typedef struct judge_meeting {
    judge_other_fn *other;
    void *cookie;
    int64_t wait_us;
} judge_meeting;

/* False where there is no thread or no timer to be had; nothing is left then. */
bool judge_meet_open(const judge_meeting *meeting);
void judge_meet_close(void);

/* Where the first call is stopped: n_steps instructions after a time; or after its n-th write to what is watched;
 * or after its beginning, where there is neither. */
typedef struct judge_stop_at {
    int64_t ns; /* 0: no time is set */
    int n_steps;
    const write_trap *watched; /* NULL: nothing is */
    int n_writes;              /* 0: writes are counted, and no call stopped */
} judge_stop_at;

/* Makes the first call; until_stopped: again and again until it has been stopped. */
ifn_status judge_meet_call(ifn_backend *backend, conform_op_fn call, ifn_args *first,
                           const judge_stop_at *at, bool until_stopped);
/* What is not called from here: this thread is stopped so, at no time but after steps or writes, in what comes next,
 * and not in what comes after. */
void judge_meet_enter(const judge_stop_at *at);
void judge_meet_leave(void);
/* How often a first call has been stopped since the meeting was opened. */
int judge_meet_stops(void);
/* The other has run as often as that, which is returned. */
int judge_meet_wait(void);
/* What the other has returned that was not IFN_OK. */
ifn_status judge_meet_status(void);
/* Writes that the latest first call was seen to make. */
int judge_meet_writes(void);

#endif
