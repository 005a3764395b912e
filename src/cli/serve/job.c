#include "job.h"

#include <errno.h>
#include <sys/socket.h>

#include "request_read.h"

void job_init(job *self, int socket)
{
    *self = (job){.socket = socket};
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
}

void job_free(job *self)
{
    request_free(&self->request);
    text_free(&self->text);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
}

static void set_state(job *self, job_state state)
{
    self->state = state;
    pthread_cond_broadcast(&self->changed);
}

void job_begin(job *self)
{
    pthread_mutex_lock(&self->lock);
    set_state(self, JOB_RUNNING);
    pthread_mutex_unlock(&self->lock);
}

ifn_status job_add(job *self, const char *data, size_t bytes)
{
    pthread_mutex_lock(&self->lock);
    const ifn_status status = text_append(&self->text, data, bytes, NULL);
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    return status;
}

/* Returns true if the client has closed the connection, or it broke. */
static bool is_closed(int socket)
{
    char byte;
    const ssize_t n = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/* The socket is valid here, as a thread calls job_abandon before it closes the socket. */
bool job_is_abandoned(job *self)
{
    pthread_mutex_lock(&self->lock);
    self->is_gone = self->is_gone || is_closed(self->socket);
    const bool is_gone = self->is_gone;
    pthread_mutex_unlock(&self->lock);
    return is_gone;
}

void job_end(job *self, generation_stop stop, int64_t n_ids)
{
    pthread_mutex_lock(&self->lock);
    self->stop = stop;
    self->n_ids = n_ids;
    set_state(self, JOB_DONE);
    pthread_mutex_unlock(&self->lock);
}

void job_refuse(job *self, const refusal *why)
{
    pthread_mutex_lock(&self->lock);
    self->why = *why;
    set_state(self, JOB_REFUSED);
    pthread_mutex_unlock(&self->lock);
}

void job_abandon(job *self)
{
    pthread_mutex_lock(&self->lock);
    self->is_gone = true;
    pthread_mutex_unlock(&self->lock);
}

static job_state wait_beyond(job *self, job_state state)
{
    pthread_mutex_lock(&self->lock);
    while (self->state <= state)
        pthread_cond_wait(&self->changed, &self->lock);
    const job_state found = self->state;
    pthread_mutex_unlock(&self->lock);
    return found;
}

job_state job_wait_begin(job *self)
{
    return wait_beyond(self, JOB_WAITING);
}

job_state job_wait_end(job *self)
{
    return wait_beyond(self, JOB_RUNNING);
}

bool job_take(job *self, text *out)
{
    pthread_mutex_lock(&self->lock);
    while (self->state <= JOB_RUNNING && self->n_taken == self->text.bytes)
        pthread_cond_wait(&self->changed, &self->lock);
    const size_t n = self->text.bytes - self->n_taken;
    const bool is_new =
        n > 0 && text_append(out, self->text.data + self->n_taken, n, NULL) == IFN_OK;
    self->n_taken = self->text.bytes;
    pthread_mutex_unlock(&self->lock);
    return is_new;
}
