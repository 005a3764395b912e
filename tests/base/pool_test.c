#include "pool.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fail_alloc.h"
#include "test.h"

enum { MAX_TASKS = 64 };

/* Replaces pthread_create (linked with --wrap), so that starting a thread can fail. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *argument);
static int n_threads_to_be_had = -1; /* -1: any number */

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *argument)
{
    if (n_threads_to_be_had == 0)
        return 11; /* EAGAIN */
    n_threads_to_be_had -= n_threads_to_be_had > 0;
    return __real_pthread_create(thread, attr, start, argument);
}

static ifn_pool *open_pool(int32_t n_threads)
{
    ifn_pool *self;
    ifn_error err;
    assert_ok(ifn_pool_open(n_threads, NULL, &self, &err), err);
    assert_int_equal(ifn_pool_threads(self), n_threads);
    return self;
}

typedef struct counts {
    int of[MAX_TASKS]; /* plain ints: the pool must order a task's writes before what follows */
} counts;

static void count(void *cookie, int32_t i)
{
    ((counts *)cookie)->of[i]++;
}

TEST(every_task_runs_once)
{
    static const int32_t threads[] = {1, 2, 3, 7, 16, 64};
    for (size_t t = 0; t < N_OF(threads); t++) {
        ifn_pool *const pool = open_pool(threads[t]);
        counts got = {{0}};
        const int rounds = 2000 / threads[t];
        for (int round = 0; round < rounds; round++)
            for (int32_t n = 0; n <= threads[t]; n++)
                assert_true(ifn_pool_run(pool, n, count, &got));
        for (int32_t i = 0; i < threads[t]; i++)
            assert_int_equal(got.of[i], rounds * (threads[t] - i));
        ifn_pool_close(pool);
    }
}

/* Each of two tasks waits for the other, so one thread alone would never end. */
typedef struct meeting {
    atomic_int n_arrived;
    pthread_t who[2];
} meeting;

static void meet(void *cookie, int32_t i)
{
    meeting *const m = cookie;
    m->who[i] = pthread_self();
    atomic_fetch_add(&m->n_arrived, 1);
    while (atomic_load(&m->n_arrived) < 2)
        sched_yield();
}

TEST(tasks_run_at_the_same_time)
{
    ifn_pool *const pool = open_pool(2);
    for (int round = 0; round < 100; round++) {
        meeting m = {.n_arrived = 0};
        assert_true(ifn_pool_run(pool, 2, meet, &m));
        assert_true(pthread_equal(m.who[0], pthread_self()));
        assert_false(pthread_equal(m.who[1], pthread_self()));
    }
    ifn_pool_close(pool);
}

static void pause_for(long ms)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

TEST(threads_wake_up_after_a_long_pause)
{
    ifn_pool *const pool = open_pool(2);
    for (int round = 0; round < 20; round++) {
        meeting m = {.n_arrived = 0};
        pause_for(2);
        assert_true(ifn_pool_run(pool, 2, meet, &m));
    }
    ifn_pool_close(pool);
}

static double cpu_seconds(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

TEST(threads_without_work_sleep)
{
    ifn_pool *const pool = open_pool(2);
    counts got = {{0}};
    assert_true(ifn_pool_run(pool, 2, count, &got));
    const double before = cpu_seconds();
    pause_for(200);
    assert_true(cpu_seconds() - before < 0.01);
    ifn_pool_close(pool);
}

/* Task 1 naps. Task 0, on the caller, waits for task 1 to begin, so that the caller cannot run task 1 itself. */
static void nap(void *cookie, int32_t i)
{
    atomic_int *const begun = cookie;
    if (i == 1) {
        atomic_store(begun, 1);
        pause_for(200);
    }
    while (!atomic_load(begun))
        sched_yield();
}

TEST(a_caller_that_waits_long_sleeps)
{
    ifn_pool *const pool = open_pool(2);
    atomic_int begun = 0;
    const double before = cpu_seconds();
    assert_true(ifn_pool_run(pool, 2, nap, &begun));
    assert_true(cpu_seconds() - before < 0.1);
    ifn_pool_close(pool);
}

/* --- who may run --- */

typedef struct nested {
    ifn_pool *pool;
    atomic_int n_refused;
} nested;

static void run_again(void *cookie, int32_t i)
{
    nested *const n = cookie;
    counts got = {{0}};
    (void)i;
    if (!ifn_pool_run(n->pool, 2, count, &got) && got.of[0] + got.of[1] == 0)
        atomic_fetch_add(&n->n_refused, 1);
}

TEST(a_task_cannot_run_tasks_of_its_own)
{
    nested n = {.pool = open_pool(3)};
    assert_true(ifn_pool_run(n.pool, 3, run_again, &n));
    assert_int_equal(n.n_refused, 3);
    ifn_pool_close(n.pool);
}

typedef struct client {
    ifn_pool *pool;
    long n_ran, n_refused;
} client;

static void *use_pool(void *cookie)
{
    client *const c = cookie;
    for (int round = 0; round < 3000; round++) {
        counts got = {{0}};
        const bool ran = ifn_pool_run(c->pool, 3, count, &got);
        for (int i = 0; i < 3; i++)
            if (got.of[i] != ran)
                return c;
        c->n_ran += ran;
        c->n_refused += !ran;
    }
    return NULL;
}

/* Some calls find the pool busy with the other thread's; each call runs either all of its tasks or none. */
TEST(two_threads_share_a_pool)
{
    ifn_pool *const pool = open_pool(3);
    client clients[2] = {{.pool = pool}, {.pool = pool}};
    pthread_t other;
    void *wrong;
    assert_int_equal(pthread_create(&other, NULL, use_pool, &clients[1]), 0);
    assert_null(use_pool(&clients[0]));
    assert_int_equal(pthread_join(other, &wrong), 0);
    assert_null(wrong);
    assert_true(clients[0].n_ran + clients[1].n_ran > 0);
    ifn_pool_close(pool);
}

static void *call_while_busy(void *cookie)
{
    nested *const n = cookie;
    run_again(n, 0);
    return NULL;
}

static void ask_another_thread(void *cookie, int32_t i)
{
    pthread_t other;
    if (i == 0 && pthread_create(&other, NULL, call_while_busy, cookie) == 0)
        pthread_join(other, NULL);
}

TEST(a_busy_pool_refuses_other_threads)
{
    nested n = {.pool = open_pool(2)};
    assert_true(ifn_pool_run(n.pool, 2, ask_another_thread, &n));
    assert_int_equal(n.n_refused, 1);
    ifn_pool_close(n.pool);
}

/* --- what threads inherit --- */

typedef struct roundings {
    meeting both; /* without it one thread might run both */
    long of[2];
} roundings;

/* Returns 23 when rounding to nearest, 33 upwards, 22 downwards. Uses conversions, as Valgrind always rounds
 * arithmetic to nearest. */
static long rounded(void)
{
    volatile double lower = 2.25, upper = 2.75;
    return 10 * lrint(lower) + lrint(upper);
}

static void round_here(void *cookie, int32_t i)
{
    roundings *const r = cookie;
    meet(&r->both, i);
    r->of[i] = rounded();
}

TEST(tasks_round_as_their_caller_does)
{
    ifn_pool *const pool = open_pool(2);
    const int before = fegetround();
    static const struct {
        int mode;
        long want;
    } rows[] = {{FE_TONEAREST, 23}, {FE_UPWARD, 33}, {FE_TONEAREST, 23}, {FE_DOWNWARD, 22}};
    for (size_t k = 0; k < N_OF(rows); k++) {
        roundings got = {.of = {0, 0}};
        fesetround(rows[k].mode);
        const int ran = ifn_pool_run(pool, 2, round_here, &got);
        fesetround(before);
        assert_true(ran);
        assert_int_equal(got.of[0], rows[k].want);
        assert_int_equal(got.of[1], rows[k].want);
    }
    ifn_pool_close(pool);
}

static void ignore(int number)
{
    (void)number;
}

TEST(signals_are_left_to_the_program)
{
    sigset_t usr1, before, pending;
    const struct sigaction handler = {.sa_handler = ignore};
    struct sigaction usual;
    sigaction(SIGUSR1, &handler, &usual);
    ifn_pool *const pool = open_pool(3);
    counts got = {{0}};
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, &before);
    assert_int_equal(sigismember(&before, SIGUSR1), 0); /* the caller's mask was restored */
    kill(getpid(), SIGUSR1);
    assert_true(ifn_pool_run(pool, 3, count, &got));
    pause_for(20); /* time for a thread to take it */
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGUSR1), 1); /* no thread has taken the signal */
    int taken;
    assert_int_equal(sigwait(&usr1, &taken), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sigaction(SIGUSR1, &usual, NULL);
    ifn_pool_close(pool);
}

/* --- a child process --- */

static int exit_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_all_in_child(ifn_pool *pool)
{
    counts got = {{0}};
    for (int round = 0; round < 10; round++)
        if (!ifn_pool_run(pool, 3, count, &got))
            return 1;
    ifn_pool_close(pool);
    return got.of[0] == 10 && got.of[1] == 10 && got.of[2] == 10 ? 42 : 2;
}

TEST(a_child_of_an_idle_pool_runs_everything_itself)
{
    ifn_pool *const pool = open_pool(3);
    for (int asleep = 0; asleep < 2; asleep++) {
        counts got = {{0}};
        assert_true(ifn_pool_run(pool, 3, count, &got));
        pause_for(asleep ? 5 : 0);
        const pid_t child = fork();
        if (child == 0)
            _exit(run_all_in_child(pool));
        assert_int_equal(exit_of(child), 42);
        assert_true(ifn_pool_run(pool, 3, count, &got)); /* the parent continues */
    }
    ifn_pool_close(pool);
}

typedef struct forker {
    ifn_pool *pool;
    pid_t child;
} forker;

static int refuse_in_child(ifn_pool *pool)
{
    counts got = {{0}};
    if (ifn_pool_run(pool, 2, count, &got) || got.of[0] || got.of[1])
        return 1;
    ifn_pool_close(pool);
    return 42;
}

static void fork_in_task(void *cookie, int32_t i)
{
    forker *const f = cookie;
    if (i != 0)
        return;
    f->child = fork();
    if (f->child == 0)
        _exit(refuse_in_child(f->pool));
}

TEST(a_child_of_a_busy_pool_is_refused_and_can_close_it)
{
    forker f = {.pool = open_pool(2)};
    assert_true(ifn_pool_run(f.pool, 2, fork_in_task, &f));
    assert_int_equal(exit_of(f.child), 42);
    ifn_pool_close(f.pool);
}

/* --- its life --- */

TEST(a_thousand_pools_leave_nothing_behind)
{
    fail_alloc heap;
    fail_alloc_init(&heap, -1);
    for (int cycle = 0; cycle < 1000; cycle++) {
        ifn_pool *pool;
        ifn_error err;
        counts got = {{0}};
        assert_ok(ifn_pool_open(1 + cycle % 4, &heap.allocator, &pool, &err), err);
        if (cycle % 3)
            assert_true(ifn_pool_run(pool, 1 + cycle % 4, count, &got));
        ifn_pool_close(pool);
        assert_int_equal(heap.live_blocks, 0);
    }
}

TEST(running_allocates_nothing)
{
    fail_alloc heap;
    ifn_pool *pool;
    ifn_error err;
    counts got = {{0}};
    fail_alloc_init(&heap, -1);
    assert_ok(ifn_pool_open(3, &heap.allocator, &pool, &err), err);
    const long before = heap.n_calls;
    for (int round = 0; round < 100; round++)
        assert_true(ifn_pool_run(pool, 3, count, &got));
    assert_int_equal(heap.n_calls, before);
    ifn_pool_close(pool);
}

TEST(a_number_of_threads_that_makes_no_sense_is_refused)
{
    static const int32_t bad[] = {0, -1, INT32_MIN, IFN_POOL_MAX_THREADS + 1, INT32_MAX};
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_pool *pool;
        ifn_error err = {0};
        assert_int_equal(ifn_pool_open(bad[i], NULL, &pool, &err), IFN_ERR_ARGUMENT);
        assert_null(pool);
    }
    ifn_pool *pool;
    ifn_error err;
    assert_int_equal(ifn_pool_open(1025, NULL, &pool, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "pool: 1025 threads, expected 1 to 1024");
}

TEST(without_memory_there_is_no_pool)
{
    fail_alloc heap;
    ifn_pool *pool;
    ifn_error err;
    fail_alloc_init(&heap, 0);
    assert_int_equal(ifn_pool_open(3, &heap.allocator, &pool, &err), IFN_ERR_NOMEM);
    assert_string_equal(err.text, "pool: out of memory for 3 threads");
    assert_null(pool);
}

TEST(it_goes_on_with_the_threads_there_are)
{
    for (int32_t there = 0; there <= 4; there++) {
        fail_alloc heap;
        ifn_pool *pool;
        ifn_error err;
        counts got = {{0}};
        fail_alloc_init(&heap, -1);
        n_threads_to_be_had = there;
        const ifn_status status = ifn_pool_open(5, &heap.allocator, &pool, &err);
        n_threads_to_be_had = -1;
        assert_ok(status, err);
        assert_int_equal(ifn_pool_threads(pool), there + 1);
        for (int round = 0; round < 100; round++)
            assert_true(ifn_pool_run(pool, there + 1, count, &got));
        for (int32_t i = 0; i <= there; i++)
            assert_int_equal(got.of[i], 100);
        ifn_pool_close(pool);
        assert_int_equal(heap.live_blocks, 0);
    }
}

TEST(closing_nothing_is_fine)
{
    ifn_pool_close(NULL);
}
