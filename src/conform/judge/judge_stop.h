/*
 * A thread that is stopped after so many instructions, and what another one does meanwhile: what two
 * threads share shows on one processor, too. One at a time in a process.
 */
#ifndef CONFORM_JUDGE_STOP_H
#define CONFORM_JUDGE_STOP_H

#include <stdbool.h>

/* Of the context that a handler is given: one instruction more, then SIGTRAP; or no longer. False where
 * there are no single steps. */
bool judge_step(void *context, bool is_on);
bool judge_has_steps(void);
/* A signal SIGTRAP to this thread, whose handler may begin the steps at what comes next. */
void judge_trap(void);
/* `syscall` is next, which no step may enter: it may block the signal of the steps, which then ends the
 * process, or start a thread, which then goes by steps, too. */
bool judge_enters_system(const void *context);

/* Another thread is there to call `other` once. Returns false where it cannot be had. */
bool judge_stop_open(void (*other)(void *cookie), void *cookie);
/* This thread is stopped in n_steps instructions, or not if it asks the system for something before;
 * nothing if it has been stopped already. Where it cannot be stopped the other begins now. */
void judge_stop_after(int n_steps);
/* `other` has been called, be it now. */
void judge_stop_close(void);

#endif
