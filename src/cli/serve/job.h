/*
 * A request on its way: the thread of its connection puts it into the queue and waits, the engine
 * answers it, and both meet here.
 */
#ifndef IFN_CLI_JOB_H
#define IFN_CLI_JOB_H

#include <pthread.h>

#include "request.h"

typedef enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE, JOB_REFUSED } job_state;

typedef struct job {
    request request;
    int socket; /* of the client, to see whether it is still there */
    struct job *next;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changed;
    job_state state;
    bool is_gone; /* nobody waits for the answer */
    text text;    /* so far */
    size_t n_taken;
    int64_t n_ids;
    generation_stop stop;
    refusal why; /* JOB_REFUSED */
} job;

void job_init(job *self, int socket);
void job_free(job *self);

/* The engine's. */
void job_begin(job *self);
ifn_status job_add(job *self, const char *data, size_t bytes);
/* 1 if the client has gone: it has closed its end, or said so through job_abandon. */
bool job_is_abandoned(job *self);
void job_end(job *self, generation_stop stop, int64_t n_ids);
void job_refuse(job *self, const refusal *why);

/* The connection's. */
void job_abandon(job *self);
/* Returns when the job is begun, done or refused. */
job_state job_wait_begin(job *self);
/* Returns when it is done or refused. */
job_state job_wait_end(job *self);
/* Waits for text that was not taken before and appends it to `out`; false: there will be no more. */
bool job_take(job *self, text *out);

#endif
