/*
 * A request while it is being answered, shared by two threads: that of its connection, which queues it and waits, and
 * the engine's, which answers it.
 */
#ifndef IFN_CLI_JOB_H
#define IFN_CLI_JOB_H

#include <pthread.h>

#include "request.h"

typedef enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE, JOB_REFUSED } job_state;

typedef struct job {
    request request;
    int socket; /* of the client, to detect that it has disconnected */
    struct job *next;
    pthread_mutex_t lock; /* protects all members below */
    pthread_cond_t changed;
    job_state state;
    bool is_gone;   /* nobody waits for the answer */
    text text;      /* the answer so far */
    size_t n_taken; /* bytes of it that job_take has returned */
    int64_t n_ids;
    generation_stop stop;
    refusal why; /* JOB_REFUSED */
} job;

void job_init(job *self, int socket);
void job_free(job *self);

/* Called by the engine. */
void job_begin(job *self);
ifn_status job_add(job *self, const char *data, size_t bytes);
/* Returns true if the client has closed its connection, or the connection has called job_abandon. */
bool job_is_abandoned(job *self);
void job_end(job *self, generation_stop stop, int64_t n_ids);
void job_refuse(job *self, const refusal *why);

/* Called by the connection. */
void job_abandon(job *self);
/* Waits until the job is begun, done or refused. */
job_state job_wait_begin(job *self);
/* Waits until it is done or refused. */
job_state job_wait_end(job *self);
/* Waits for new text and appends it to `out`. False: there will be no more. */
bool job_take(job *self, text *out);

#endif
