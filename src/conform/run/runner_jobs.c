#include "runner_jobs.h"

#include <stdatomic.h>
#include <string.h>

#include "jobs.h"
#include "runner_batch.h"
#include "runner_feed.h"
#include "runner_workers.h"

/* Cases that a job takes at a time, and cases that are worth jobs. */
enum { PIECE = 8, LEAST_CASES = 64 };

/* Pieces that may be ahead of what is told: enough for seconds, as long as one case of another job may take, and
 * some more for each job. */
enum { AHEAD = 448, AHEAD_OF_JOB = 32 };

/* What one process has of its own, and leaves to the parent. */
typedef struct job_share {
    int64_t at, to; /* cases of the piece at hand that are left */
    int n_hung[CONFORM_MAX_TESTED];
    char ended[CONFORM_MAX_TESTED][80];
    conform_channel channels[CONFORM_MAX_TESTED];
} job_share;

/* What the processes share. A piece waits in ring[piece % n_ring] until it is told. */
typedef struct job_results {
    const conform_case *cases;
    int64_t n_cases;
    int n_tested, n_ring;
    atomic_llong n_taken, n_told, end; /* pieces; none from `end` on is begun */
    conform_jobs jobs;
    job_share *shares; /* one for each */
    struct job_piece {
        atomic_int n_judged; /* cases times backends under test */
        conform_verdict *verdicts;
    } * ring;
} job_results;

/* What a process is told: the runner is its parent's, copied. */
typedef struct job_task {
    conform_runner *runner;
    job_results *results;
    job_share *mine;
} job_task;

bool conform_jobs_are_worth_it(const conform_runner *r, int64_t n)
{
    return r->n_jobs > 1 && !r->in_process && n >= LEAST_CASES;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Cases of a piece times backends under test. */
static int64_t size_of(const job_results *b, int64_t piece)
{
    return lesser(PIECE, b->n_cases - piece * PIECE) * b->n_tested;
}

/* The next piece; or FEED_IS_OVER; or FEED_IS_LATER where the ring is full. */
static int64_t take_piece(job_results *b)
{
    long long piece = atomic_load(&b->n_taken);
    do {
        if (piece >= atomic_load(&b->end))
            return FEED_IS_OVER;
        if (piece >= atomic_load(&b->n_told) + b->n_ring)
            return FEED_IS_LATER;
    } while (!atomic_compare_exchange_weak(&b->n_taken, &piece, piece + 1));
    return piece;
}

static int64_t next_case(void *cookie)
{
    const job_task *const self = cookie;
    job_share *const me = self->mine;
    if (me->at == me->to) {
        const int64_t piece = take_piece(self->results);
        if (piece < 0)
            return piece;
        me->at = piece * PIECE;
        me->to = lesser(me->at + PIECE, self->results->n_cases);
    }
    return me->at++;
}

static conform_verdict *place_of(const job_results *b, int64_t at, int tested)
{
    return &b->ring[at / PIECE % b->n_ring].verdicts[at % PIECE * b->n_tested + tested];
}

static void put_verdict(void *cookie, int64_t at, int tested, conform_verdict *verdict)
{
    job_results *const b = ((job_task *)cookie)->results;
    *place_of(b, at, tested) = *verdict;
    atomic_fetch_add(&b->ring[at / PIECE % b->n_ring].n_judged, 1);
}

/* --- in one of the processes --- */

/* The parent's workers and batches are not its own; the room of these is given back, here alone. */
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

/* What the parent is to know in the end. */
static void hand_over(const conform_runner *r, const int *hung_before, job_share *mine)
{
    for (int s = 0; s < r->n_tested; s++)
        mine->n_hung[s] = r->n_hung[s] - hung_before[s];
    memcpy(mine->ended, r->ended, sizeof mine->ended);
}

static ifn_status feed_workers(job_task *task, ifn_error *err)
{
    conform_runner *const r = task->runner;
    const conform_feed feed = {task, next_case, put_verdict};
    for (int s = 0; s < r->n_tested; s++)
        IFN_TRY(conform_worker_start(r, s, err));
    IFN_TRY(conform_runner_feed(r, task->results->cases, &feed, err));
    for (int s = 0; s < r->n_tested; s++)
        conform_worker_stop(r, s);
    return IFN_OK;
}

static ifn_status work(void *cookie, int index, ifn_error *err)
{
    job_task task = *(const job_task *)cookie;
    int hung_before[CONFORM_MAX_TESTED];
    task.mine = &task.results->shares[index];
    memcpy(hung_before, task.runner->n_hung, sizeof hung_before);
    take_over(task.runner, task.mine);
    const ifn_status status = feed_workers(&task, err);
    if (status != IFN_OK)
        atomic_store(&task.results->end, 0);
    hand_over(task.runner, hung_before, task.mine);
    return status;
}

/* --- in the parent --- */

static job_results *make_results(conform_pool *pool, const conform_runner *r,
                                 const conform_case *cases, int64_t n)
{
    const int jobs = r->n_jobs, ring = AHEAD + jobs * AHEAD_OF_JOB;
    const size_t of_piece = (size_t)(PIECE * r->n_tested);
    conform_pool_init_shared(pool, (size_t)jobs * (sizeof(conform_job) + sizeof(job_share)) +
                                       (size_t)ring * (of_piece * sizeof(conform_verdict) + 128) +
                                       sizeof(job_results) + 4096);
    job_results *const b = conform_pool_take(pool, 1, sizeof *b);
    b->cases = cases;
    b->n_cases = n;
    b->n_tested = r->n_tested;
    b->n_ring = ring;
    atomic_store(&b->end, (n + PIECE - 1) / PIECE);
    conform_jobs_open(&b->jobs, pool, jobs);
    b->shares = conform_pool_take(pool, (size_t)jobs, sizeof *b->shares);
    b->ring = conform_pool_take(pool, (size_t)ring, sizeof *b->ring);
    for (int i = 0; i < ring; i++)
        b->ring[i].verdicts = conform_pool_take(pool, of_piece, sizeof(conform_verdict));
    return b;
}

static ifn_status wait_for_piece(job_results *b, int64_t piece, ifn_error *err)
{
    struct job_piece *const p = &b->ring[piece % b->n_ring];
    while (atomic_load(&p->n_judged) < size_of(b, piece)) {
        IFN_TRY(conform_jobs_look(&b->jobs, err));
        conform_jobs_nap();
    }
    return IFN_OK;
}

static void tell_piece(const conform_runner *r, job_results *b, int64_t piece, conform_sink sink,
                       void *cookie)
{
    const int64_t first = piece * PIECE, last = lesser(first + PIECE, b->n_cases);
    for (int64_t at = first; at < last; at++)
        for (int s = 0; s < b->n_tested; s++) {
            conform_verdict *const v = place_of(b, at, s);
            conform_fresh_compare(&r->fresh, at, s, v);
            sink(cookie, &b->cases[at], s, v);
        }
    atomic_store(&b->ring[piece % b->n_ring].n_judged, 0);
    atomic_fetch_add(&b->n_told, 1);
}

/* Pieces that were begun are told; no others are begun once the run is over. */
static ifn_status tell_all(const conform_runner *r, job_results *b, conform_sink sink, void *cookie,
                           ifn_error *err)
{
    for (int64_t piece = 0;; piece++) {
        if (r->is_over && r->is_over(r->over_cookie))
            atomic_store(&b->end, lesser(atomic_load(&b->n_taken), atomic_load(&b->end)));
        if (piece >= atomic_load(&b->end))
            return conform_jobs_wait(&b->jobs, err);
        IFN_TRY(wait_for_piece(b, piece, err));
        tell_piece(r, b, piece, sink, cookie);
    }
}

/* What the runner says of its workers in the end is said of theirs, too. */
static void take_back(conform_runner *r, const job_results *b)
{
    for (int i = 0; i < b->jobs.n; i++)
        for (int s = 0; s < b->n_tested; s++) {
            const job_share *const share = &b->shares[i];
            r->n_hung[s] += share->n_hung[s];
            if (!*r->ended[s])
                memcpy(r->ended[s], share->ended[s], sizeof r->ended[s]);
            conform_words_add(&r->channels[s].words, &share->channels[s].words);
        }
}

ifn_status conform_jobs_run(conform_runner *r, const conform_case *cases, int64_t n,
                            conform_sink sink, void *cookie, ifn_error *err)
{
    conform_pool pool;
    job_results *const b = make_results(&pool, r, cases, n);
    job_task task = {r, b, NULL};
    ifn_status status = conform_jobs_start(&b->jobs, work, &task, err);
    if (status == IFN_OK)
        status = tell_all(r, b, sink, cookie, err);
    conform_jobs_kill(&b->jobs);
    take_back(r, b);
    conform_pool_fini(&pool);
    return status;
}
