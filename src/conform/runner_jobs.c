#include "runner_jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "runner_feed.h"
#include "runner_fresh.h"
#include "runner_workers.h"

/* Cases that a job takes at a time, and how many such pieces it may be ahead of what is told. */
enum { PIECE = 32, AHEAD = 8 };

typedef struct job {
    pid_t pid;      /* the parent's; 0: it has ended, and been waited for */
    int64_t at, to; /* its own: cases of the piece at hand that are left */
    ifn_status status;
    ifn_error error;
    int n_hung[CONFORM_MAX_SUBJECTS]; /* of its own */
    char ended[CONFORM_MAX_SUBJECTS][80];
    conform_channel channels[CONFORM_MAX_SUBJECTS];
} job;

/* What the processes share. A piece waits in ring[piece % n_ring] until it is told. */
typedef struct job_board {
    int64_t n_cases;
    int n_subjects, n_jobs, n_ring;
    atomic_llong n_taken, n_told, end; /* pieces; none from `end` on is begun */
    job *jobs;
    struct job_piece {
        atomic_int n_judged; /* cases times subjects */
        conform_verdict *verdicts;
    } * ring;
} job_board;

/* In a job: who it is. */
typedef struct worker_of_board {
    job_board *board;
    job *me;
} worker_of_board;

bool conform_jobs_are_worth_it(const conform_runner *r, int64_t n)
{
    return r->n_jobs > 1 && !r->in_process && n >= 2 * PIECE;
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Cases of a piece times subjects. */
static int64_t size_of(const job_board *b, int64_t piece)
{
    return lesser(PIECE, b->n_cases - piece * PIECE) * b->n_subjects;
}

/* The next piece; or FEED_IS_OVER; or FEED_IS_LATER where the ring is full. */
static int64_t take_piece(job_board *b)
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
    const worker_of_board *const self = cookie;
    job *const me = self->me;
    if (me->at == me->to) {
        const int64_t piece = take_piece(self->board);
        if (piece < 0)
            return piece;
        me->at = piece * PIECE;
        me->to = lesser(me->at + PIECE, self->board->n_cases);
    }
    return me->at++;
}

static conform_verdict *place_of(const job_board *b, int64_t at, int subject)
{
    return &b->ring[at / PIECE % b->n_ring].verdicts[at % PIECE * b->n_subjects + subject];
}

static void put_verdict(void *cookie, int64_t at, int subject, conform_verdict *verdict)
{
    job_board *const b = ((worker_of_board *)cookie)->board;
    *place_of(b, at, subject) = *verdict;
    atomic_fetch_add(&b->ring[at / PIECE % b->n_ring].n_judged, 1);
}

/* --- in a job --- */

/* The parent's workers and batches are not its own. */
static void take_over(conform_runner *r, job *me)
{
    conform_runner_share(r);
    r->channels = me->channels;
    memset(r->ended, 0, sizeof r->ended);
}

static ifn_status work(conform_runner *r, const conform_case *cases, job_board *b, job *me,
                       ifn_error *err)
{
    worker_of_board self = {b, me};
    const conform_feed feed = {&self, next_case, put_verdict};
    int hung_before[CONFORM_MAX_SUBJECTS];
    memcpy(hung_before, r->n_hung, sizeof hung_before);
    for (int s = 0; s < r->n_subjects; s++)
        IFN_TRY(conform_worker_start(r, s, err));
    IFN_TRY(conform_runner_feed(r, cases, &feed, err));
    for (int s = 0; s < r->n_subjects; s++)
        conform_worker_stop(r, s);
    for (int s = 0; s < r->n_subjects; s++)
        me->n_hung[s] = r->n_hung[s] - hung_before[s];
    memcpy(me->ended, r->ended, sizeof me->ended);
    return IFN_OK;
}

static _Noreturn void run_job(conform_runner *r, const conform_case *cases, job_board *b, job *me)
{
    take_over(r, me);
    me->status = work(r, cases, b, me, &me->error);
    if (me->status != IFN_OK)
        atomic_store(&b->end, 0);
    _exit(0); /* what workers are left ends with it */
}

/* --- in the parent --- */

static job_board *make_board(conform_pool *pool, const conform_runner *r, int64_t n)
{
    const int jobs = (int)lesser(r->n_jobs, CONFORM_MAX_JOBS), ring = jobs * AHEAD;
    const size_t of_piece = (size_t)(PIECE * r->n_subjects);
    conform_pool_init_shared(pool, sizeof(job_board) + (size_t)jobs * sizeof(job) +
                                       (size_t)ring * (of_piece * sizeof(conform_verdict) + 128) +
                                       4096);
    job_board *const b = conform_pool_take(pool, 1, sizeof *b);
    b->n_cases = n;
    b->n_subjects = r->n_subjects;
    b->n_jobs = jobs;
    b->n_ring = ring;
    atomic_store(&b->end, (n + PIECE - 1) / PIECE);
    b->jobs = conform_pool_take(pool, (size_t)jobs, sizeof *b->jobs);
    b->ring = conform_pool_take(pool, (size_t)ring, sizeof *b->ring);
    for (int i = 0; i < ring; i++)
        b->ring[i].verdicts = conform_pool_take(pool, of_piece, sizeof(conform_verdict));
    return b;
}

static ifn_status start(conform_runner *r, const conform_case *cases, job_board *b, ifn_error *err)
{
    for (int i = 0; i < b->n_jobs; i++) {
        const pid_t pid = child_fork();
        if (pid == 0)
            run_job(r, cases, b, &b->jobs[i]);
        if (pid < 0)
            return ifn_fail(err, IFN_ERR_IO, "jobs: no process: %s", ifn_errno_reason(errno));
        b->jobs[i].pid = pid;
    }
    return IFN_OK;
}

/* How a job did that has ended. */
static ifn_status outcome(const job *j, int status, ifn_error *err)
{
    if (WIFSIGNALED(status))
        return ifn_fail(err, IFN_ERR_IO, "jobs: a process that makes cases ended by signal %d",
                        WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return ifn_fail(err, IFN_ERR_NOMEM, "jobs: a process that makes cases ended with status %d",
                        WEXITSTATUS(status));
    return j->status == IFN_OK ? IFN_OK : ifn_fail(err, j->status, "%s", j->error.text);
}

/* Waits for jobs that have ended; all of them where `to_the_end`. */
static ifn_status look_after(job_board *b, bool to_the_end, ifn_error *err)
{
    for (int i = 0; i < b->n_jobs; i++) {
        job *const j = &b->jobs[i];
        int status = 0;
        if (j->pid == 0)
            continue;
        if (to_the_end)
            status = child_wait(j->pid);
        else if (waitpid(j->pid, &status, WNOHANG) != j->pid)
            continue;
        j->pid = 0;
        IFN_TRY(outcome(j, status, err));
    }
    return IFN_OK;
}

static void kill_all(job_board *b)
{
    for (int i = 0; i < b->n_jobs; i++)
        if (b->jobs[i].pid > 0) {
            kill(b->jobs[i].pid, SIGKILL);
            (void)child_wait(b->jobs[i].pid);
            b->jobs[i].pid = 0;
        }
}

static ifn_status wait_for_piece(job_board *b, int64_t piece, ifn_error *err)
{
    struct job_piece *const p = &b->ring[piece % b->n_ring];
    while (atomic_load(&p->n_judged) < size_of(b, piece)) {
        IFN_TRY(look_after(b, false, err));
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return IFN_OK;
}

static void tell_piece(const conform_runner *r, const conform_case *cases, job_board *b,
                       int64_t piece, conform_sink sink, void *cookie)
{
    const int64_t first = piece * PIECE, last = lesser(first + PIECE, b->n_cases);
    for (int64_t at = first; at < last; at++)
        for (int s = 0; s < b->n_subjects; s++) {
            conform_verdict *const v = place_of(b, at, s);
            conform_fresh_compare(&r->fresh, at, s, v);
            sink(cookie, &cases[at], s, v);
        }
    atomic_store(&b->ring[piece % b->n_ring].n_judged, 0);
    atomic_fetch_add(&b->n_told, 1);
}

/* Pieces that were begun are told; no others are begun once the run is over. */
static ifn_status tell_all(const conform_runner *r, const conform_case *cases, job_board *b,
                           conform_sink sink, void *cookie, ifn_error *err)
{
    for (int64_t piece = 0; piece < atomic_load(&b->end); piece++) {
        if (r->is_over && r->is_over(r->over_cookie))
            atomic_store(&b->end, lesser(atomic_load(&b->n_taken), atomic_load(&b->end)));
        if (piece >= atomic_load(&b->end))
            break;
        IFN_TRY(wait_for_piece(b, piece, err));
        tell_piece(r, cases, b, piece, sink, cookie);
    }
    return look_after(b, true, err);
}

/* What the runner says of its workers in the end is of theirs, too. */
static void take_back(conform_runner *r, const job_board *b)
{
    for (int i = 0; i < b->n_jobs; i++)
        for (int s = 0; s < b->n_subjects; s++) {
            const job *const j = &b->jobs[i];
            r->n_hung[s] += j->n_hung[s];
            if (!*r->ended[s])
                memcpy(r->ended[s], j->ended[s], sizeof r->ended[s]);
            conform_words_add(&r->channels[s].words, &j->channels[s].words);
        }
}

ifn_status conform_jobs_run(conform_runner *r, const conform_case *cases, int64_t n,
                            conform_sink sink, void *cookie, ifn_error *err)
{
    conform_pool pool;
    job_board *const b = make_board(&pool, r, n);
    ifn_status status = start(r, cases, b, err);
    if (status == IFN_OK)
        status = tell_all(r, cases, b, sink, cookie, err);
    if (status != IFN_OK)
        kill_all(b);
    take_back(r, b);
    conform_pool_fini(&pool);
    return status;
}
