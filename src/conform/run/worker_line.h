/*
 * How parent and worker speak: two semaphores and two words in shared memory. There is no
 * descriptor that a backend could close, read from or write to; that a worker has died is asked of
 * the system.
 */
#ifndef CONFORM_WORKER_LINE_H
#define CONFORM_WORKER_LINE_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

/* From parent to worker: slots first .. n of a batch. */
typedef struct conform_command {
    int32_t batch, first; /* batch < 0: leave */
} conform_command;

/* From worker to parent. SOILED: the case at which its site stands has left something after in the
 * process, which is of no use to the cases after it. */
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

/* Before the worker is forked, and again before the next one. 0: there are no semaphores. */
int conform_line_open(conform_line *line);
void conform_line_close(conform_line *line);

void conform_line_command(conform_line *line, conform_command what);
/* Waits for the next command; where the parent has ended, it is to leave. */
conform_command conform_line_listen(conform_line *line, pid_t parent);

void conform_line_say(conform_line *line, int what);
/* What the worker has said, and that is heard then; WORKER_SILENT after `seconds` without a word.
 */
int conform_line_hear(conform_line *line, double seconds);

#endif
