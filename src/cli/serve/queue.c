#include "queue.h"

#include <errno.h>

void queue_init(queue *self, size_t most)
{
    *self = (queue){.most = most};
    pthread_mutex_init(&self->lock, NULL);
    sem_init(&self->wake, 0, 0);
}

void queue_free(queue *self)
{
    sem_destroy(&self->wake);
    pthread_mutex_destroy(&self->lock);
}

static job **place_of(queue *self, const job *one)
{
    job **place = &self->first;
    while (*place && *place != one)
        place = &(*place)->next;
    return place;
}

/* Removes `one`, which must be in the queue. */
static void take(queue *self, job *one)
{
    *place_of(self, one) = one->next;
    self->last = NULL;
    for (job *j = self->first; j; j = j->next)
        self->last = j;
    self->n--;
}

static void refuse_gone(job *one)
{
    refusal why;
    (void)refuse(&why, REFUSE_BUSY, NULL, "the client has gone");
    job_refuse(one, &why);
}

static void sweep(queue *self)
{
    for (job *next, *one = self->first; one; one = next) {
        next = one->next;
        if (!job_is_abandoned(one))
            continue;
        take(self, one);
        refuse_gone(one);
    }
}

static void append(queue *self, job *one)
{
    one->next = NULL;
    if (self->last)
        self->last->next = one;
    else
        self->first = one;
    self->last = one;
    self->n++;
}

bool queue_push(queue *self, job *one)
{
    pthread_mutex_lock(&self->lock);
    if (self->n == self->most)
        sweep(self);
    const bool is_taken = !self->is_closed && self->n < self->most;
    if (is_taken)
        append(self, one);
    pthread_mutex_unlock(&self->lock);
    if (is_taken)
        sem_post(&self->wake);
    return is_taken;
}

/* Waits for `wake`, or only tests it if not `waits`. Returns false if it was not posted. */
static bool is_woken(queue *self, bool waits)
{
    int failed;
    do
        failed = waits ? sem_wait(&self->wake) : sem_trywait(&self->wake);
    while (failed && errno == EINTR);
    return !failed;
}

job *queue_pop(queue *self, bool waits)
{
    if (!is_woken(self, waits))
        return NULL;
    pthread_mutex_lock(&self->lock);
    job *const one = self->first;
    if (one)
        take(self, one);
    pthread_mutex_unlock(&self->lock);
    return one;
}

bool queue_remove(queue *self, job *one)
{
    pthread_mutex_lock(&self->lock);
    const bool is_there = *place_of(self, one) != NULL;
    if (is_there)
        take(self, one);
    pthread_mutex_unlock(&self->lock);
    return is_there;
}

size_t queue_length(queue *self)
{
    pthread_mutex_lock(&self->lock);
    const size_t n = self->n;
    pthread_mutex_unlock(&self->lock);
    return n;
}

void queue_close(queue *self, const refusal *why)
{
    pthread_mutex_lock(&self->lock);
    self->is_closed = true;
    while (self->first) {
        job *const one = self->first;
        take(self, one);
        job_refuse(one, why);
    }
    pthread_mutex_unlock(&self->lock);
}
