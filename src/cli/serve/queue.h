/* A bounded FIFO queue of requests that wait for the engine. */
#ifndef IFN_CLI_QUEUE_H
#define IFN_CLI_QUEUE_H

#include <semaphore.h>

#include "job.h"

typedef struct queue {
    pthread_mutex_t lock;
    job *first, *last;
    size_t n, most;
    bool is_closed;
    sem_t wake; /* posted for each job; a signal handler may post it, too */
} queue;

void queue_init(queue *self, size_t most);
void queue_free(queue *self);

/* Returns false if the queue is closed or full; jobs whose clients have gone do not count. */
bool queue_push(queue *self, job *one);
/* Removes the first job; NULL: there is none. With `waits` it waits for a job, or returns NULL when `wake` is posted
 * without one. */
job *queue_pop(queue *self, bool waits);
/* Removes a job; returns true if it was still in the queue. */
bool queue_remove(queue *self, job *one);
size_t queue_length(queue *self);
/* Accepts no more jobs, and refuses those that wait. */
void queue_close(queue *self, const refusal *why);

#endif
