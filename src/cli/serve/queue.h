/* Requests that wait for the engine, in the order in which they came; so many and no more. */
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

/* False: it is full, those whose clients have gone not counted, or closed. */
bool queue_push(queue *self, job *one);
/* NULL: there is none. Waits for one if it is to; woken without one, it returns NULL. */
job *queue_pop(queue *self, bool waits);
/* True if it was still there. */
bool queue_remove(queue *self, job *one);
size_t queue_length(queue *self);
/* Takes no more, and refuses those that wait. */
void queue_close(queue *self, const refusal *why);

#endif
