#include "runner_jobs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jobs.h"
#include "runner_batch.h"
#include "runner_feed.h"
#include "runner_fresh.h"
#include "runner_workers.h"

/* Cases that a job takes at a time, and the least number of cases that are worth jobs. */
enum { PIECE = 8, LEAST_CASES = 64 };

/* How many pieces may be judged ahead of the one whose verdicts are delivered: enough for seconds, as long as one case
 * of another job may take, and some more for each job. */
enum { AHEAD = 448, AHEAD_OF_JOB = 32 };

/* The data of one process, which it leaves to the parent. */
typedef struct job_share {
    int64_t at, to; /* cases of its current piece that are left */
    char ended[CONFORM_MAX_TESTED][80];
    conform_channel channels[CONFORM_MAX_TESTED];
} job_share;

/* A few cases of a run, handed out by the parent. */
typedef struct job_piece {
    int n;
    bool is_withdrawn; /* before any process took it */
    conform_case cases[PIECE];
    bool wants_digest[PIECE];
    atomic_int n_judged; /* cases times backends under test */
    conform_verdict *verdicts;
} job_piece;

/* The queue that the processes share. Pieces are numbered over all runs; one stays in ring[piece % n_ring] until its
 * verdicts are delivered. */
typedef struct job_queue {
    int n_tested, n_ring;
    atomic_llong n_given, n_taken; /* pieces */
    atomic_bool is_closed;         /* no more pieces will come */
    conform_jobs jobs;
    job_share *shares; /* one per process */
    job_piece *ring;
} job_queue;

/* The cases of a run, and how many of them have been handed out in pieces. */
typedef struct job_source {
    const conform_case *cases;
    int64_t n, n_given;
    const conform_fresh *fresh;
    int64_t begin, end; /* numbers of its pieces so far */
} job_source;

struct conform_crew {
    conform_pool pool; /* shared */
    job_queue *queue;
    job_source next; /* announced */
    conform_fresh fresh_of_next;
};

/* The task of a process; its runner is a copy of the parent's. */
typedef struct job_task {
    conform_runner *runner;
    job_queue *queue;
    job_share *mine;
    pid_t parent;
} job_task;

bool conform_jobs_are_worth_it(const conform_runner *r, int64_t n)
{
    return r->n_jobs > 1 && !r->in_process && n >= LEAST_CASES;
}

static job_piece *piece_of(const job_queue *q, int64_t piece)
{
    return &q->ring[piece % q->n_ring];
}

/* Takes the next piece; returns FEED_IS_OVER at the end, FEED_IS_LATER if none is ready. */
static int64_t take_piece(job_queue *q)
{
    long long piece = atomic_load(&q->n_taken);
    do {
        if (atomic_load(&q->is_closed))
            return FEED_IS_OVER;
        if (piece >= atomic_load(&q->n_given))
            return FEED_IS_LATER;
    } while (!atomic_compare_exchange_weak(&q->n_taken, &piece, piece + 1));
    return piece;
}

static conform_verdict *verdict_of(const job_queue *q, job_piece *p, int64_t i, int tested)
{
    return &p->verdicts[i * q->n_tested + tested];
}

/* --- in one of the processes --- */

static int64_t next_case(void *cookie, conform_fed *out)
{
    const job_task *const self = cookie;
    job_share *const me = self->mine;
    if (me->at == me->to) {
        const int64_t piece = take_piece(self->queue);
        if (piece < 0)
            return getppid() == self->parent ? piece : FEED_IS_OVER;
        me->at = piece * PIECE;
        me->to = me->at + piece_of(self->queue, piece)->n;
    }
    const job_piece *const p = piece_of(self->queue, me->at / PIECE);
    *out = (conform_fed){&p->cases[me->at % PIECE], p->wants_digest[me->at % PIECE]};
    return me->at++;
}

/* Half of this process's share of what is left, so that all processes end at about the same time. */
static int64_t most_at_once(void *cookie)
{
    const job_queue *const q = ((job_task *)cookie)->queue;
    const int64_t left = atomic_load(&q->n_given) - atomic_load(&q->n_taken);
    const int64_t share = left * PIECE / (2 * q->jobs.n);
    return share > PIECE ? share : PIECE;
}

static void put_verdict(void *cookie, int64_t at, int tested, conform_verdict *verdict)
{
    job_queue *const q = ((job_task *)cookie)->queue;
    job_piece *const p = piece_of(q, at / PIECE);
    *verdict_of(q, p, at % PIECE, tested) = *verdict;
    atomic_fetch_add(&p->n_judged, 1);
}

/* Replaces the parent's batches and channels by this process's own, and frees its mapping of the parent's batches. */
static void take_over(conform_runner *r, job_share *mine)
{
    for (int i = 0; i < CONFORM_BATCHES; i++) {
        conform_pool theirs = r->batches[i]->pool;
        conform_pool_fini(&theirs);
    }
    conform_runner_share(r);
    r->channels = mine->channels;
    memset(r->ended, 0, sizeof r->ended);
}

static ifn_status feed_workers(job_task *task, ifn_error *err)
{
    conform_runner *const r = task->runner;
    const conform_feed feed = {task, next_case, most_at_once, put_verdict};
    for (int s = 0; s < r->n_tested; s++)
        IFN_TRY(conform_worker_start(r, s, err));
    IFN_TRY(conform_runner_feed(r, &feed, err));
    for (int s = 0; s < r->n_tested; s++)
        conform_worker_stop(r, s);
    return IFN_OK;
}

static ifn_status work(void *cookie, int index, ifn_error *err)
{
    job_task task = *(const job_task *)cookie;
    task.mine = &task.queue->shares[index];
    take_over(task.runner, task.mine);
    const ifn_status status = feed_workers(&task, err);
    memcpy(task.mine->ended, task.runner->ended, sizeof task.mine->ended);
    return status;
}

/* --- in the parent --- */

static job_queue *make_queue(conform_pool *pool, const conform_runner *r)
{
    const int jobs = r->n_jobs, ring = AHEAD + jobs * AHEAD_OF_JOB;
    const size_t of_piece = (size_t)(PIECE * r->n_tested);
    const size_t piece_bytes = sizeof(job_piece) + of_piece * sizeof(conform_verdict) + 128;
    conform_pool_init_shared(pool, (size_t)jobs * (sizeof(conform_job) + sizeof(job_share)) +
                                       (size_t)ring * piece_bytes + sizeof(job_queue) + 4096);
    job_queue *const q = conform_pool_take(pool, 1, sizeof *q);
    q->n_tested = r->n_tested;
    q->n_ring = ring;
    conform_jobs_open(&q->jobs, pool, jobs);
    q->shares = conform_pool_take(pool, (size_t)jobs, sizeof *q->shares);
    q->ring = conform_pool_take(pool, (size_t)ring, sizeof *q->ring);
    for (int i = 0; i < ring; i++)
        q->ring[i].verdicts = conform_pool_take(pool, of_piece, sizeof(conform_verdict));
    return q;
}

static ifn_status hire(conform_runner *r, ifn_error *err)
{
    if (r->crew)
        return IFN_OK;
    r->crew = calloc(1, sizeof *r->crew);
    if (!r->crew)
        return ifn_fail(err, IFN_ERR_NOMEM, "jobs: no memory for their queue");
    job_queue *const q = r->crew->queue = make_queue(&r->crew->pool, r);
    job_task task = {r, q, NULL, getpid()};
    return conform_jobs_start(&q->jobs, work, &task, err);
}

/* Copies how the processes' workers ended, and what they printed, to the runner, which tells it as of its own. */
static void take_back(conform_runner *r, const job_queue *q)
{
    for (int i = 0; i < q->jobs.n; i++)
        for (int s = 0; s < r->n_tested; s++) {
            const job_share *const share = &q->shares[i];
            if (!*r->ended[s])
                memcpy(r->ended[s], share->ended[s], sizeof r->ended[s]);
            conform_words_add(&r->channels[s].words, &share->channels[s].words);
        }
}

static void dismiss(conform_runner *r)
{
    conform_jobs_kill(&r->crew->queue->jobs);
    take_back(r, r->crew->queue);
    conform_pool_fini(&r->crew->pool);
    free(r->crew);
    r->crew = NULL;
}

void conform_jobs_stop(conform_runner *r)
{
    ifn_error err = {0};
    if (!r->crew)
        return;
    job_queue *const q = r->crew->queue;
    atomic_store(&q->is_closed, true);
    if (conform_jobs_wait(&q->jobs, &err) != IFN_OK && !*r->ended[0])
        snprintf(r->ended[0], sizeof r->ended[0], "%.79s", err.text);
    dismiss(r);
}

/* The parent's state of a run. */
typedef struct job_run {
    const conform_runner *runner;
    job_queue *queue;
    job_source source;
    int64_t n_told; /* pieces delivered, in all runs */
    bool has_looked_ahead;
} job_run;

static job_source source_of(const job_queue *q, const conform_case *cases, int64_t n,
                            const conform_fresh *fresh)
{
    const int64_t begin = atomic_load(&q->n_given);
    return (job_source){.cases = cases, .n = n, .fresh = fresh, .begin = begin, .end = begin};
}

static bool is_given(const job_source *s)
{
    return s->n_given == s->n;
}

static void give_piece(job_queue *q, job_source *s)
{
    job_piece *const p = piece_of(q, atomic_load(&q->n_given));
    p->is_withdrawn = false;
    for (p->n = 0; p->n < PIECE && !is_given(s); p->n++, s->n_given++) {
        p->cases[p->n] = s->cases[s->n_given];
        p->wants_digest[p->n] = conform_fresh_has(s->fresh, s->n_given);
    }
    s->end = atomic_fetch_add(&q->n_given, 1) + 1;
}

/* Hands out pieces while the ring has room, that is, fewer than n_ring after piece n_told. */
static void give_from(job_queue *q, job_source *s, int64_t n_told)
{
    while (!is_given(s) && atomic_load(&q->n_given) < n_told + q->n_ring)
        give_piece(q, s);
}

static void give(job_run *run)
{
    job_source *const next = &run->runner->crew->next;
    give_from(run->queue, &run->source, run->n_told);
    if (!is_given(&run->source) || is_given(next))
        return;
    if (next->n_given == 0) /* its pieces follow the run's */
        next->begin = next->end = atomic_load(&run->queue->n_given);
    give_from(run->queue, next, run->n_told);
}

/* Ends a source: no further piece is handed out or taken. */
static void withdraw(job_queue *q, job_source *s)
{
    s->n = s->n_given;
    for (int64_t piece; (piece = take_piece(q)) >= 0;)
        piece_of(q, piece)->is_withdrawn = true;
}

static ifn_status wait_for_piece(job_queue *q, job_piece *p, ifn_error *err)
{
    while (atomic_load(&p->n_judged) < p->n * q->n_tested) {
        IFN_TRY(conform_jobs_look(&q->jobs, err));
        if (!conform_jobs_are_left(&q->jobs))
            return ifn_fail(err, IFN_ERR_IO, "jobs: all processes have ended before the run");
        conform_jobs_nap();
    }
    return IFN_OK;
}

/* Drops the announced cases: waits for pieces that were begun, and discards them. */
static ifn_status forget_next(struct conform_crew *crew, ifn_error *err)
{
    job_source *const next = &crew->next;
    withdraw(crew->queue, next);
    for (; next->begin < next->end; next->begin++) {
        job_piece *const p = piece_of(crew->queue, next->begin);
        if (!p->is_withdrawn)
            IFN_TRY(wait_for_piece(crew->queue, p, err));
        atomic_store(&p->n_judged, 0);
    }
    *next = (job_source){0};
    return IFN_OK;
}

/* Delivers the verdicts of a piece whose first case is case `at` of the run. */
static void tell_piece(const job_run *run, job_piece *p, int64_t at, conform_sink sink,
                       void *cookie)
{
    for (int i = 0; i < p->n; i++)
        for (int s = 0; s < run->queue->n_tested; s++) {
            conform_verdict *const v = verdict_of(run->queue, p, i, s);
            conform_fresh_compare(&run->runner->fresh, at + i, s, v);
            sink(cookie, conform_verdict_case(v, &run->source.cases[at + i]), s, v);
        }
    atomic_store(&p->n_judged, 0);
}

/* Lets the owner prepare what comes next while the processes work. */
static void look_ahead(job_run *run)
{
    const conform_runner *const r = run->runner;
    if (run->has_looked_ahead || !is_given(&run->source))
        return;
    run->has_looked_ahead = true;
    if (r->look_ahead)
        r->look_ahead(r->ahead_cookie);
}

/* Delivers all pieces; those that were begun are delivered even if the run is over meanwhile. */
static ifn_status tell_all(job_run *run, conform_sink sink, void *cookie, ifn_error *err)
{
    const conform_runner *const r = run->runner;
    int64_t at = 0;
    for (;;) {
        if (r->is_over && r->is_over(r->over_cookie)) {
            r->crew->next.cases = NULL; /* so that no next run continues it */
            withdraw(run->queue, &r->crew->next);
            withdraw(run->queue, &run->source);
        }
        give(run);
        look_ahead(run);
        if (run->n_told == run->source.end)
            return IFN_OK;
        job_piece *const p = piece_of(run->queue, run->n_told);
        if (!p->is_withdrawn) {
            IFN_TRY(wait_for_piece(run->queue, p, err));
            tell_piece(run, p, at, sink, cookie);
        }
        at += p->n;
        run->n_told++;
    }
}

/* Begins a run: continues it if it was announced, else drops the announced one. */
static ifn_status begin(conform_runner *r, const conform_case *cases, int64_t n, job_run *out,
                        ifn_error *err)
{
    struct conform_crew *const crew = r->crew;
    const job_source *const next = &crew->next;
    const bool was_announced = next->n_given > 0 && next->cases == cases && next->n == n;
    *out = (job_run){.runner = r, .queue = crew->queue};
    if (!was_announced)
        IFN_TRY(forget_next(crew, err));
    out->source = was_announced ? *next : source_of(crew->queue, cases, n, NULL);
    out->source.fresh = &r->fresh;
    out->n_told = out->source.begin;
    crew->next = (job_source){0};
    return IFN_OK;
}

static ifn_status run_by_crew(conform_runner *r, const conform_case *cases, int64_t n,
                              conform_sink sink, void *cookie, ifn_error *err)
{
    job_run run;
    IFN_TRY(begin(r, cases, n, &run, err));
    give(&run);
    IFN_TRY(conform_fresh_run(r, cases, err)); /* meanwhile */
    return tell_all(&run, sink, cookie, err);
}

void conform_jobs_announce(conform_runner *r, const conform_case *cases, int64_t n)
{
    struct conform_crew *const crew = r->crew;
    if (!crew || crew->next.n > 0)
        return;
    conform_fresh_choose(r, cases, n, &crew->fresh_of_next);
    crew->next = source_of(crew->queue, cases, n, &crew->fresh_of_next);
}

ifn_status conform_jobs_run(conform_runner *r, const conform_case *cases, int64_t n,
                            conform_sink sink, void *cookie, ifn_error *err)
{
    ifn_status status = hire(r, err);
    if (status == IFN_OK)
        status = run_by_crew(r, cases, n, sink, cookie, err);
    if (status != IFN_OK && r->crew)
        dismiss(r);
    return status;
}
