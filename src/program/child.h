/* A process that works for its parent, and ends with it, however that ends. */
#ifndef IFN_PROGRAM_CHILD_H
#define IFN_PROGRAM_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Instead of a status of waitpid, of a process that is no child of this one or was waited for
 * before. It is none of an exit, nor of a signal. */
#define CHILD_LOST (-1)

/* As fork, with nothing left in stdio's buffers that both would write. Where the system can
 * (Linux), the child is killed when its parent ends, and does not work on for nobody. To be called
 * by a thread that lives as long as the program. From here on SIGCHLD has its default action: a
 * program may have been started with it ignored, and then no child leaves a status.
 * -1 with errno: there is no process to be had. */
pid_t child_fork(void);

/* In the child: closes what it has inherited, all but 0, 1, 2 and `kept`. */
void child_close_files(int kept);

/* Waits for its end, whatever signals come meanwhile: its status as of waitpid, or CHILD_LOST. */
int child_wait(pid_t pid);

/* Does not wait: true, and the same status, if it has ended. */
bool child_has_ended(pid_t pid, int *status);

#endif
