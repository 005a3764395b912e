/* The threads of a backend: those of OpenMP, its own ones that sleep between calls, or new ones for each call. */
#include <pthread.h>

#include "honest.h"

struct crew {
    thread_form form;
    const ifn_allocator *alloc;
    pthread_mutex_t lock, one_call;
    pthread_cond_t changed;
    pthread_t threads[CREW_PIECES - 1];
    int n_threads, next, left, is_over;
    piece_fn *piece;
    void *cookie;
};

/* Runs one piece after the other while there are any. Called with the lock held, which is free while a piece runs. */
static void work(crew *self)
{
    while (self->next < CREW_PIECES) {
        const int i = self->next++;
        pthread_mutex_unlock(&self->lock);
        self->piece(self->cookie, i);
        pthread_mutex_lock(&self->lock);
        if (--self->left == 0)
            pthread_cond_broadcast(&self->changed);
    }
}

static void *worker(void *cookie)
{
    crew *const self = cookie;
    pthread_mutex_lock(&self->lock);
    while (!self->is_over) {
        work(self);
        if (!self->is_over)
            pthread_cond_wait(&self->changed, &self->lock);
    }
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* Called with the lock held. */
static void run_own(crew *self)
{
    pthread_cond_broadcast(&self->changed);
    work(self);
    while (self->left > 0)
        pthread_cond_wait(&self->changed, &self->lock);
}

static void *worker_of_one_call(void *cookie)
{
    crew *const self = cookie;
    pthread_mutex_lock(&self->lock);
    work(self);
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* Called with the lock held, which is free while the threads are created and joined. */
static void run_each(crew *self)
{
    enum { THREADS = 2 };
    pthread_t threads[THREADS];
    int n = 0;
    pthread_mutex_unlock(&self->lock);
    while (n < THREADS && pthread_create(&threads[n], NULL, worker_of_one_call, self) == 0)
        n++;
    worker_of_one_call(self);
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_lock(&self->lock);
}

static void run_threads(crew *self, piece_fn *piece, void *cookie)
{
    pthread_mutex_lock(&self->one_call);
    pthread_mutex_lock(&self->lock);
    self->piece = piece;
    self->cookie = cookie;
    self->next = 0;
    self->left = CREW_PIECES;
    if (self->form == THREADS_OWN)
        run_own(self);
    else
        run_each(self);
    pthread_mutex_unlock(&self->lock);
    pthread_mutex_unlock(&self->one_call);
}

void crew_run(crew *self, bool is_short, piece_fn *piece, void *cookie)
{
    const int n_threads = is_short ? 2 : CREW_PIECES;
    if (self->form != THREADS_OPENMP) {
        run_threads(self, piece, cookie);
        return;
    }
    (void)n_threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
#endif
    for (int i = 0; i < CREW_PIECES; i++)
        piece(cookie, i);
}

crew *crew_open(thread_form form, const ifn_allocator *alloc)
{
    crew *const self = alloc->alloc(alloc->cookie, sizeof *self, sizeof(void *));
    if (!self)
        return NULL;
    *self = (crew){.form = form, .alloc = alloc, .next = CREW_PIECES};
    pthread_mutex_init(&self->lock, NULL);
    pthread_mutex_init(&self->one_call, NULL);
    pthread_cond_init(&self->changed, NULL);
    while (form == THREADS_OWN && self->n_threads < CREW_PIECES - 1 &&
           pthread_create(&self->threads[self->n_threads], NULL, worker, self) == 0)
        self->n_threads++;
    return self;
}

void crew_close(crew *self)
{
    if (!self)
        return;
    pthread_mutex_lock(&self->lock);
    self->is_over = 1;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    for (int i = 0; i < self->n_threads; i++)
        pthread_join(self->threads[i], NULL);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->one_call);
    pthread_mutex_destroy(&self->lock);
    self->alloc->free(self->alloc->cookie, self, sizeof *self);
}
