/* A thread that goes on instruction by instruction: after each the system sends it SIGTRAP. */
#ifndef CONFORM_JUDGE_STEP_H
#define CONFORM_JUDGE_STEP_H

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

#endif
