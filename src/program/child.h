/* A process that works for its parent, and ends with it, however that ends. */
#ifndef IFN_PROGRAM_CHILD_H
#define IFN_PROGRAM_CHILD_H

#include <sys/types.h>

/* As fork, with nothing left in stdio's buffers that both would write. Where the system can
 * (Linux), the child is killed when its parent ends, and does not work on for nobody. To be called
 * by a thread that lives as long as the program. -1 with errno: there is no process to be had. */
pid_t child_fork(void);

/* In the child: closes what it has inherited, all but 0, 1, 2 and `kept`. */
void child_close_files(int kept);

/* Waits for its end, whatever signals come meanwhile: its status as of waitpid; 0 where there is no
 * such child. */
int child_wait(pid_t pid);

#endif
