/* Single-stepping: after each instruction of the thread the system sends it SIGTRAP. */
#ifndef CONFORM_JUDGE_STEP_H
#define CONFORM_JUDGE_STEP_H

#include <stdbool.h>

/* Edits the context that a signal handler is given: on return the thread executes one more instruction and gets
 * SIGTRAP, or goes on freely. Returns false if the processor has no single steps. */
bool judge_step(void *context, bool is_on);
bool judge_has_steps(void);
/* Sends SIGTRAP to this thread. Its handler may begin the steps at the instruction after this call. */
void judge_trap(void);
/* True if the next instruction is `syscall`. Steps must not enter it: it may block SIGTRAP, which then ends the
 * process, or start a thread, which then goes by steps, too. */
bool judge_enters_system(const void *context);

#endif
