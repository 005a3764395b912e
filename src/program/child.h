/* A child process that ends with its parent, however the parent ends. */
#ifndef IFN_PROGRAM_CHILD_H
#define IFN_PROGRAM_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Returned in place of a waitpid status if the process is not a child of this one or was waited for
 * before. WIFEXITED and WIFSIGNALED are false for it. */
#define CHILD_LOST (-1)

/* fork, after flushing stdio's buffers, which both processes would write otherwise. On Linux the child is
 * killed when the thread that called this ends, so call it from one that lives as long as the program.
 * Sets SIGCHLD to its default action: if a program was started with it ignored, children leave no status.
 * Returns -1 with errno if the system starts no process. */
pid_t child_fork(void);

/* In the child: closes all inherited descriptors but 0, 1, 2 and `kept`. */
void child_close_files(int kept);

/* Waits for the end of a child, also across signals. Returns its status as waitpid gives it, or CHILD_LOST. */
int child_wait(pid_t pid);

/* Does not wait: true, with the same status, if the child has ended. */
bool child_has_ended(pid_t pid, int *status);

#endif
