/* Two different calls at once: the judge finds memory that they share. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "gen.h"
#include "test.h"
#include "tested.h"

static ifn_status open_leaf(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    return ifn_backend_open_desc(self->cookie, NULL, "", NULL, out, err);
}

/* Accumulates every sum in one static variable, which all calls share. */
static ifn_status sums_in_one_place(ifn_backend *self, const ifn_matmul_args *a)
{
    static volatile float sum;
    const int64_t rows = a->part_end ? a->part_end : a->m,
                  cols = a->part2_end ? a->part2_end : a->p;
    (void)self;
    for (int64_t i = a->part_begin; i < rows; i++)
        for (int64_t j = a->part2_begin; j < cols; j++) {
            sum = 0;
            for (int64_t t = 0; t < a->n; t++)
                sum = sum + a->a[i * a->n + t] * a->b[t * a->p + j];
            a->out[i * a->p + j] = sum;
        }
    return IFN_OK;
}

/* Copies x to a static buffer, which all calls share, and adds from there. */
static ifn_status keeps_a_copy(ifn_backend *self, const ifn_add_args *a)
{
    static float copy[4096];
    ifn_add_args other = *a;
    if (a->n > (int64_t)(sizeof copy / sizeof *copy))
        return ifn_add(self->base, a);
    for (int64_t i = 0; i < a->n; i++)
        copy[i] = a->x[i];
    other.x = copy;
    return ifn_add(self->base, &other);
}

/* Notes in a static variable which rows it reads, and reads the variable again when another call may have
 * overwritten it. */
static ifn_status notes_its_rows(ifn_backend *self, const ifn_rms_norm_args *a)
{
    static const float *volatile x;
    ifn_rms_norm_args one = *a;
    const int64_t end = a->part_end ? a->part_end : a->rows;
    if (a->out_dtype != IFN_DTYPE_F32 || a->add || a->sum)
        return ifn_rms_norm(self->base, a);
    one.rows = 1;
    one.part_begin = one.part_end = 0;
    x = a->x;
    for (int64_t row = a->part_begin; row < end; row++) {
        one.out = (float *)a->out + row * a->dim;
        one.x = x + row * a->dim;
        IFN_TRY(ifn_rms_norm(self->base, &one));
    }
    return IFN_OK;
}

/* Keeps the factor in a static variable, which all calls share. */
static ifn_status one_factor(ifn_backend *self, const ifn_scale_args *a)
{
    static volatile float value;
    const int64_t end = a->part_end ? a->part_end : a->n;
    (void)self;
    value = a->value;
    for (int64_t i = a->part_begin; i < end; i++)
        a->out[i] = a->x[i] * value;
    return IFN_OK;
}

static atomic_int n_interrupted; /* sleeps of calls that a signal interrupted */

static ifn_status sleeps(ifn_backend *self, const ifn_add_args *a)
{
    const struct timespec nap = {.tv_nsec = 300000};
    if (nanosleep(&nap, NULL) != 0 && errno == EINTR)
        atomic_fetch_add(&n_interrupted, 1);
    return ifn_add(self->base, a);
}

/* Blocks all signals for a moment, as starting a thread or a process does. */
static ifn_status blocks_signals(ifn_backend *self, const ifn_add_args *a)
{
    enum { TIMES = 2000 };
    sigset_t all, before;
    sigfillset(&all);
    for (int i = 0; i < TIMES; i++) {
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return ifn_add(self->base, a);
}

#define LEAF(op, word)                                                                             \
    static void fill_##word(ifn_op_table *table, const ifn_backend_env *env)                       \
    {                                                                                              \
        (void)env;                                                                                 \
        table->op = word;                                                                          \
    }                                                                                              \
    static const ifn_backend_desc desc_##word = {IFN_BACKEND_STAMP, .name = #word, .summary = "",  \
                                                 .fill = fill_##word};                             \
    static const conform_tested tested_##word = {#word, open_leaf, &desc_##word};
LEAF(matmul, sums_in_one_place)
LEAF(add, keeps_a_copy)
LEAF(rms_norm, notes_its_rows)
LEAF(scale, one_factor)
LEAF(add, sleeps)
LEAF(add, blocks_signals)

/* Returns how many of 20 cases fail by CHECK_THREADS; the cases are those whose seeds call for a duel. */
static int failed(const conform_tested *tested, const conform_case *like)
{
    int n = 0, n_failed = 0;
    for (uint64_t seed = 1; n < 20; seed++) {
        conform_case c = *like;
        if (conform_hash(seed, "duel", 0) % 16 != 0)
            continue;
        n++;
        c.seed = seed;
        const conform_verdict v = judge_once(tested, &c);
        assert_that(v.outcome == OUTCOME_PASS || v.check == CHECK_THREADS, "%s", v.detail);
        n_failed += v.check == CHECK_THREADS;
    }
    return n_failed;
}

static const conform_case
    product = {.op = IFN_OP_MATMUL, .dim = {48, 64, 64}, .tier = TIER_T1, .family = FAMILY_NORMAL},
    factor = {.op = IFN_OP_SCALE, .dim = {4000}, .tier = TIER_T1, .family = FAMILY_NORMAL},
    sum = {.op = IFN_OP_ADD, .dim = {4000}, .tier = TIER_T1, .family = FAMILY_NORMAL},
    norm = {.op = IFN_OP_RMS_NORM, .dim = {40, 64, 0, 5}, .tier = TIER_T1, .family = FAMILY_NORMAL};

/* Skips the test under ThreadSanitizer: it holds a signal back until the program calls into it, and no op does. */
static void stops_are_in_the_midst(void)
{
#ifdef __SANITIZE_THREAD__
    skip();
#endif
}

TEST(what_is_shared_shows)
{
    stops_are_in_the_midst();
    const int a = failed(&tested_sums_in_one_place, &product);
    const int b = failed(&tested_keeps_a_copy, &sum), c = failed(&tested_notes_its_rows, &norm);
    assert_that(a >= 10 && b >= 10 && c >= 10, "%d, %d and %d of 20", a, b, c);
}

/* The call is as short as the delivery of a signal. */
TEST(what_is_shared_for_a_moment_shows)
{
    stops_are_in_the_midst();
    const conform_case few = {
        .op = IFN_OP_ADD, .dim = {10}, .tier = TIER_T1, .family = FAMILY_NORMAL};
    const int n = failed(&tested_keeps_a_copy, &few);
    assert_that(n >= 8, "%d of 20", n);
}

TEST(numbers_that_are_shared_show)
{
    stops_are_in_the_midst();
    const int n = failed(&tested_one_factor, &factor);
    assert_that(n >= 10, "%d of 20", n);
}

TEST(honest_calls_do_not_mind)
{
    assert_int_equal(failed(&tested_honest, &factor), 0);
    assert_int_equal(failed(&tested_honest, &product), 0);
    assert_int_equal(failed(&tested_honest, &sum), 0);
    assert_int_equal(failed(&tested_honest, &norm), 0);
}

TEST(calls_may_block_signals)
{
    assert_int_equal(failed(&tested_blocks_signals, &sum), 0);
}

static atomic_int is_judged;

static void *judge_elsewhere(void *cookie)
{
    *(int *)cookie = failed(&tested_sleeps, &sum);
    atomic_store(&is_judged, 1);
    return NULL;
}

/* A single-stepped thread of the backend would still be stepped after it has waited for its next work. The handlers are
 * gone by then, so its next instruction would end the process. */
TEST(no_thread_but_the_calling_one_is_stopped)
{
    const struct timespec turn = {.tv_nsec = 1000000};
    int n_failed = -1, n_others = 0;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, judge_elsewhere, &n_failed), 0);
    while (!atomic_load(&is_judged))
        n_others += nanosleep(&turn, NULL) != 0;
    pthread_join(thread, NULL);
    assert_int_equal(n_failed, 0);
    assert_int_equal(n_others, 0);
    assert_that(atomic_load(&n_interrupted) >= 10, "%d calls stopped", atomic_load(&n_interrupted));
}
