/* Calls the ops of a case, whether their tensors lie on the host or on a device: judge_device.c. */
#ifndef CONFORM_JUDGE_DEVICE_H
#define CONFORM_JUDGE_DEVICE_H

#include "judge_run.h"

/*
 * Calls `op` of `backend`, its arguments where the host has them, through the register guard:
 * *changed is what that says. What else is noticed goes to the verdict, as of `run`, and the site is
 * told: every call is a step, of those that a law composes, too.
 */
ifn_status judge_enter(judge_run *r, ifn_backend *backend, ifn_op op, const ifn_call *args,
                       conform_run run, uint32_t *changed);

/* The same for an op of the judged backend other than the judged one. */
ifn_status judge_enter_other(judge_run *r, ifn_op op, const ifn_call *args, conform_run run);

/* The lanes [begin, end) that the calls are on, and the one of them, `door`, whose copy_out brings the results back. */
typedef struct judge_lanes {
    int32_t begin, end, door;
} judge_lanes;

/* judge_enter in steps, for several calls at once: begin, add each call, enter, show each call its device addresses,
 * make the calls, leave. All of them do nothing where the host has the tensors. */
void judge_device_begin(judge_run *r);
void judge_device_add(judge_run *r, ifn_op op, const ifn_call *args);
/* Copies the tensors in, on the lane that all calls are on, or for IFN_ALL_LANES. An error goes to the verdict, too. */
ifn_status judge_device_enter(judge_run *r, int32_t lane);
void judge_device_show(const judge_run *r, ifn_op op, ifn_args *args);
/* Waits for all calls and copies their results back. Returns the status of the first call that failed after it had
 * returned. */
ifn_status judge_device_leave(judge_run *r, conform_run run, judge_lanes lanes);

#endif
