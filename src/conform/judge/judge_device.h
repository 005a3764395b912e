/* The calls of a case, wherever their tensors are to be: judge_device.c. */
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

/* The same for a call of another op beside the one that is judged. */
ifn_status judge_enter_other(judge_run *r, ifn_op op, const ifn_call *args, conform_run run);

/* The lanes that calls are on, [begin, end), and the one of them that copies out. */
typedef struct judge_lanes {
    int32_t begin, end, door;
} judge_lanes;

/* The same for several calls at once, step by step; nothing where the host has the tensors. */
void judge_device_begin(judge_run *r);
void judge_device_add(judge_run *r, ifn_op op, const ifn_call *args);
/* On the lane of all calls, or for IFN_ALL_LANES. What fails is in the verdict, too. */
ifn_status judge_device_enter(judge_run *r, int32_t lane);
void judge_device_show(const judge_run *r, ifn_op op, ifn_args *args);
/* Waits for all of them; returns how the first failed that did after it had returned. */
ifn_status judge_device_leave(judge_run *r, conform_run run, judge_lanes lanes);

#endif
