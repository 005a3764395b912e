/*
 * Measures what one call of the pool costs besides its tasks. Every task spins for the same time, long enough for each
 * thread to begin its own; what a call takes longer than a call of a single task is the cost of handing out tasks and
 * waiting. Other programs may hold up a thread for many calls, so every call is timed and quantiles are printed. The
 * test asserts only that all tasks ran.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <inferno/clock.h>
#include <inferno/cpu.h>

#include "pool.h"
#include "test.h"

enum { CALLS = 20000, BATCH = 500, SPINS = 400 };

typedef struct work {
    _Alignas(128) long n_runs;
    volatile uint32_t sink;
} work;

static void spin(void *cookie, int32_t i)
{
    work *const w = (work *)cookie + i;
    uint32_t x = w->sink;
    for (int k = 0; k < SPINS; k++)
        x = x * 1664525u + 1013904223u;
    w->sink = x;
    w->n_runs++;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void time_calls(ifn_pool *pool, int32_t n, work *w, uint64_t *ns)
{
    for (int call = 0; call < BATCH; call++) {
        const uint64_t begin = ifn_clock_ns();
        if (!ifn_pool_run(pool, n, spin, w))
            fail();
        ns[call] = ifn_clock_ns() - begin;
    }
}

/* Two tasks that write to each other in turns. */
typedef struct ping_pong {
    _Alignas(128) _Atomic uint32_t ping;
    _Alignas(128) _Atomic uint32_t pong;
    uint64_t ns[BATCH];
} ping_pong;

/* Waits for a turn, and yields after a while: the other thread may have no processor. */
static void await_turn(const _Atomic uint32_t *word, uint32_t turn)
{
    for (int looks = 0; atomic_load_explicit(word, memory_order_acquire) != turn; looks++)
        if (looks > 10000)
            sched_yield();
}

static void play(void *cookie, int32_t i)
{
    ping_pong *const p = cookie;
    for (uint32_t turn = 1; turn <= BATCH; turn++) {
        const uint64_t begin = ifn_clock_ns();
        if (i == 0)
            atomic_store_explicit(&p->ping, turn, memory_order_release);
        await_turn(i == 0 ? &p->pong : &p->ping, turn);
        if (i == 0)
            p->ns[turn - 1] = ifn_clock_ns() - begin;
        else
            atomic_store_explicit(&p->pong, turn, memory_order_release);
    }
}

static void measure_round_trip(void)
{
    static uint64_t ns[CALLS], clock_ns[BATCH];
    static ping_pong p;
    ifn_pool *pool;
    ifn_error err;
    assert_ok(ifn_pool_open(2, NULL, &pool, &err), err);
    for (int game = 0; game < CALLS; game += BATCH) {
        p = (ping_pong){.ping = 0};
        assert_true(ifn_pool_run(pool, 2, play, &p));
        memcpy(ns + game, p.ns, sizeof p.ns);
    }
    for (int i = 0; i < BATCH; i++) {
        clock_ns[i] = ifn_clock_ns();
        clock_ns[i] = ifn_clock_ns() - clock_ns[i];
    }
    qsort(ns, CALLS, sizeof *ns, by_size);
    qsort(clock_ns, BATCH, sizeof *clock_ns, by_size);
    print_message("a word to another processor and back: %d ns\n",
                  (int)(ns[CALLS / 2] - clock_ns[BATCH / 2]));
    ifn_pool_close(pool);
}

static void measure(int32_t n_threads)
{
    static work w[4];
    static uint64_t one[CALLS], all[CALLS];
    ifn_pool *pool;
    ifn_error err;
    assert_ok(ifn_pool_open(n_threads, NULL, &pool, &err), err);
    for (int32_t i = 0; i < n_threads; i++)
        w[i] = (work){0};
    for (int call = 0; call < CALLS; call += BATCH) {
        time_calls(pool, 1, w, one + call);
        time_calls(pool, n_threads, w, all + call);
    }
    assert_int_equal(w[0].n_runs, 2l * CALLS);
    for (int32_t i = 1; i < n_threads; i++)
        assert_int_equal(w[i].n_runs, (long)CALLS);
    qsort(one, CALLS, sizeof *one, by_size);
    qsort(all, CALLS, sizeof *all, by_size);
    print_message("%d threads: a task takes %d ns; a call of %d takes longer by %d ns"
                  " (a tenth of the calls %d or less, nine tenths %d or less)\n",
                  (int)n_threads, (int)one[CALLS / 2], (int)n_threads,
                  (int)(all[CALLS / 2] - one[CALLS / 2]), (int)(all[CALLS / 10] - one[CALLS / 10]),
                  (int)(all[CALLS * 9 / 10] - one[CALLS * 9 / 10]));
    ifn_pool_close(pool);
}

TEST(a_call_costs_this_much)
{
    const int32_t n_cpus = ifn_cpu_count();
    print_message("%d processors to be used\n", (int)n_cpus);
    if (n_cpus > 1)
        measure_round_trip();
    for (int32_t n = 2; n <= 4 && n <= n_cpus; n++)
        measure(n);
}
