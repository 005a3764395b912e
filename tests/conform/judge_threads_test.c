/* Parts on several threads at once: a backend that is correct only on one thread does not pass. */
#define _GNU_SOURCE /* gettid */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "gen.h"
#include "test.h"
#include "tested.h"

static const ifn_manifest manifest = {.manifest_bytes = sizeof manifest, .invariances = 0x7ff};

static ifn_status open_leaf(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

static void add_through(_Atomic float *room, const ifn_add_args *a)
{
    const int64_t end = a->part_end ? a->part_end : a->n;
    for (int64_t i = a->part_begin; i < end; i++)
        room[i - a->part_begin] = a->x[i] + a->y[i];
    sched_yield();
    for (int64_t i = a->part_begin; i < end; i++)
        a->out[i] = room[i - a->part_begin];
}

/* Copies its part through memory that all threads share. */
static ifn_status add_shared(ifn_backend *self, const ifn_add_args *a)
{
    static _Atomic float room[4096];
    (void)self;
    add_through(room, a);
    return IFN_OK;
}

/* Copies through memory of its lane modulo 16: lanes beyond 16 share memory. */
static ifn_status add_in_few(ifn_backend *self, const ifn_add_args *a)
{
    static _Atomic float rooms[16][4096];
    (void)self;
    add_through(rooms[a->call.lane % 16], a);
    return IFN_OK;
}

static void fill_few(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_in_few;
}

/* Computes only the share of its lane where it is asked for the whole and there are other lanes. */
static ifn_status add_share(ifn_backend *self, const ifn_add_args *a)
{
    ifn_add_args share = *a;
    if (a->part_end == 0 && a->n > 0) {
        const int64_t each = (a->n + a->call.n_lanes - 1) / a->call.n_lanes;
        share.part_begin = each * a->call.lane < a->n ? each * a->call.lane : a->n - 1;
        share.part_end = share.part_begin + each < a->n ? share.part_begin + each : a->n;
    }
    return ifn_add(self->base, &share);
}

static void fill_share(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_share;
}

/* Blocks SIGUSR1 in all threads but the first. */
static ifn_status add_and_block(ifn_backend *self, const ifn_add_args *a)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (gettid() != getpid())
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    return ifn_add(self->base, a);
}

static void fill_block(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_and_block;
}

static void fill_shared(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_shared;
}

static ifn_status add_by_lane(ifn_backend *self, const ifn_add_args *a)
{
    ifn_add_args other = *a;
    other.x = a->call.lane ? a->y : a->x;
    return ifn_add(self->base, &other);
}

static void fill_by_lane(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_by_lane;
}

static ifn_status add_fails_beside(ifn_backend *self, const ifn_add_args *a)
{
    static atomic_int n_inside;
    ifn_status status = atomic_fetch_add(&n_inside, 1) ? IFN_ERR_NOMEM : ifn_add(self->base, a);
    for (int i = 0; a->part_end && i < 20; i++)
        sched_yield();
    atomic_fetch_sub(&n_inside, 1);
    return status;
}

static void fill_fails_beside(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)env;
    table->add = add_fails_beside;
}

#define LEAF(word)                                                                                 \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .manifest = &manifest, .fill = fill_##word};      \
    static const conform_tested tested_##word = {#word, open_leaf, &desc_##word};
LEAF(shared)
LEAF(by_lane)
LEAF(fails_beside)
LEAF(few)
LEAF(share)
LEAF(block)

/* Returns the check that the first of 40 cases fails by, CHECK_NONE if all pass; the cases are those whose seeds
 * call for threads. */
static conform_check first_fault(const conform_tested *tested, ifn_op op)
{
    int n = 0;
    for (uint64_t seed = 1; n < 40; seed++) {
        conform_case c = {.op = op, .tier = TIER_T1, .family = FAMILY_NORMAL, .seed = seed};
        if (conform_hash(seed, "threads", 0) % 8 != 0)
            continue;
        n++;
        c.dim[0] = op == IFN_OP_ADD ? 1000 : 20;
        c.dim[1] = c.dim[2] = op == IFN_OP_ADD ? 0 : 20;
        const conform_verdict v = judge_once(tested, &c);
        if (v.outcome == OUTCOME_FAIL)
            return v.check;
    }
    return CHECK_NONE;
}

TEST(an_honest_backend_passes_on_two_threads)
{
    assert_int_equal(first_fault(&tested_honest, IFN_OP_MATMUL), CHECK_NONE);
}

TEST(memory_that_threads_share_shows)
{
    assert_int_equal(first_fault(&tested_shared, IFN_OP_ADD), CHECK_THREADS);
}

TEST(a_result_that_depends_on_the_lane_shows)
{
    const conform_check check = first_fault(&tested_by_lane, IFN_OP_ADD);
    assert_true(check == CHECK_THREADS || check == CHECK_VALUE);
}

TEST(a_whole_call_of_any_lane_is_whole)
{
    assert_int_equal(first_fault(&tested_share, IFN_OP_ADD), CHECK_VALUE);
}

TEST(lanes_that_are_equal_but_for_a_high_bit_share_nothing)
{
    assert_int_equal(first_fault(&tested_few, IFN_OP_ADD), CHECK_THREADS);
}

TEST(every_thread_stays_as_it_was)
{
    assert_int_equal(first_fault(&tested_block, IFN_OP_ADD), CHECK_PROCESS);
}

TEST(a_call_that_fails_beside_another_shows)
{
    assert_int_equal(first_fault(&tested_fails_beside, IFN_OP_ADD), CHECK_THREADS);
}

/* The certificate counts by the number of threads in the verdict: every number has its turn, not only the largest. */
TEST(the_verdict_says_on_how_many_threads)
{
    unsigned seen = 0;
    for (uint64_t seed = 1; seed < 600; seed++) {
        const conform_case c = {.op = IFN_OP_ADD,
                                .tier = TIER_T1,
                                .family = FAMILY_NORMAL,
                                .dim = {1000},
                                .seed = seed};
        if (conform_hash(seed, "threads", 0) % 8 == 0)
            seen |= 1U << judge_once(&tested_honest, &c).threads;
    }
    assert_true(seen >> 2 & seen >> 3 & seen >> 4 & seen >> CONFORM_THREADS & 1);
}

/* The time limit is for one call, and starts anew with each call. */
TEST(every_call_on_a_thread_has_the_time_of_a_call)
{
    static conform_site site;
    tested_site = &site;
    for (uint64_t seed = 1; seed < 200; seed++) {
        const conform_case c = {.op = IFN_OP_ADD,
                                .tier = TIER_T1,
                                .family = FAMILY_NORMAL,
                                .dim = {1000},
                                .seed = seed};
        if (conform_hash(seed, "threads", 0) % 8 != 0)
            continue;
        atomic_store(&site.step, 0);
        const conform_verdict v = judge_once(&tested_honest, &c);
        assert_in_range(v.calls, 1, atomic_load(&site.step));
    }
    tested_site = NULL;
}
