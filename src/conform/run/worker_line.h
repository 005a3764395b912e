/*
 * The line between parent and worker: two semaphores and two words in shared memory. It has no descriptor that a
 * backend could close, read or write. The parent asks the system whether a worker has died.
 */
#ifndef CONFORM_WORKER_LINE_H
#define CONFORM_WORKER_LINE_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

/* From parent to worker: judge slots first .. n - 1 of a batch. */
typedef struct conform_command {
    int32_t batch, first; /* batch < 0: exit */
} conform_command;

/* From worker to parent. SOILED: the case at which its site stands has changed the state of the process, which cannot
 * judge further cases. */
enum {
    WORKER_SILENT,
    WORKER_READY = 'R',
    WORKER_DONE = 'D',
    WORKER_SOILED = 'S',
    WORKER_NO_BACKEND = 'E'
};

/* In shared memory. */
typedef struct conform_line {
    sem_t to_worker, to_parent;
    conform_command command;
    atomic_int said;
} conform_line;

/* Call it before each worker is forked. Returns 0 if there are no semaphores. */
int conform_line_open(conform_line *line);
void conform_line_close(conform_line *line);

void conform_line_command(conform_line *line, conform_command what);
/* Waits for the next command; if the parent has ended, the command is to exit. */
conform_command conform_line_listen(conform_line *line, pid_t parent);

void conform_line_say(conform_line *line, int what);
/* Returns the worker's latest word and resets it; WORKER_SILENT after `seconds` without one. */
int conform_line_hear(conform_line *line, double seconds);

#endif
