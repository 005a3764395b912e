/* R0 between processes: the same case gives the same bits in another process. */
#include "runner_fresh.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "leaves.h"
#include "patience.h"

/* In memory that all processes share: in how many of them the backend has been opened. */
static int *n_opened;
static int generation;

static ifn_status open_counted(const conform_tested *self, ifn_backend **out, ifn_error *err)
{
    static pid_t process;
    if (process != getpid())
        generation = ++*n_opened;
    process = getpid();
    return leaf_open(self, out, err);
}

/* Gives other bits in the first process, all within the bound. */
static ifn_status moody_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    const int64_t begin = a->part_begin, end = a->part_end ? a->part_end : a->m;
    const int64_t left = a->part2_begin, right = a->part2_end ? a->part2_end : a->p;
    for (int64_t i = begin; generation == 1 && i < end; i++)
        leaf_nudge(a->out + i * a->p + left, right - left);
    return status;
}

static ifn_status steady_matmul(ifn_backend *self, const ifn_matmul_args *a)
{
    return ifn_matmul(self->base, a);
}

LEAF(matmul, moody)
LEAF(matmul, steady)

typedef struct statistics {
    int n, n_fresh, n_failed;
    conform_relation r0;
} statistics;

static void count(void *cookie, const conform_case *c, int tested, const conform_verdict *v)
{
    statistics *t = cookie;
    (void)c;
    (void)tested;
    t->n++;
    t->n_fresh += v->check == CHECK_FRESH;
    t->n_failed += v->outcome != OUTCOME_PASS;
    t->r0.tried += v->relations[0].tried;
    t->r0.held += v->relations[0].held;
    t->r0.demanded += v->relations[0].demanded;
}

static statistics run_on(const conform_tested *tested, int n, int in_process)
{
    conform_case cases[20];
    conform_tested counted = *tested;
    conform_runner r = {.tested = &counted,
                        .n_tested = 1,
                        .in_process = in_process,
                        .patience = patience_times(10)};
    ifn_error err = {0};
    statistics t = {.n = 0};
    counted.open = open_counted;
    *n_opened = 0;
    for (int i = 0; i < n; i++)
        cases[i] = (conform_case){.op = IFN_OP_MATMUL,
                                  .dim = {3, 50, 4},
                                  .tier = TIER_T1,
                                  .family = FAMILY_NORMAL,
                                  .seed = (uint64_t)i};
    assert_ok(conform_runner_open(&r, &err), err);
    assert_ok(conform_runner_run(&r, cases, n, count, &t, &err), err);
    conform_runner_close(&r);
    assert_int_equal(t.n, n);
    return t;
}

static void other_bits_in_another_process_fail(void **state)
{
    (void)state;
    const statistics t = run_on(&moody[1], 20, 0);
    assert_int_equal(t.n_fresh, FRESH_CASES);
    assert_int_equal(t.n_failed, FRESH_CASES);
    assert_int_equal(t.r0.tried, 20 + FRESH_CASES);
    assert_int_equal(t.r0.demanded, 20 + FRESH_CASES);
    assert_int_equal(t.r0.held, 20);
    assert_int_equal(*n_opened, 3); /* one of them for a first call beside another */
}

static void the_same_bits_pass_and_are_counted(void **state)
{
    (void)state;
    statistics t = run_on(&steady[1], 20, 0);
    assert_int_equal(t.n_failed, 0);
    assert_int_equal(t.r0.held, 20 + FRESH_CASES);
    t = run_on(&steady[1], 1, 0);
    assert_int_equal(t.r0.held, 2);
    assert_int_equal(run_on(&steady[1], 0, 0).r0.tried, 0);
}

static void one_process_has_no_other(void **state)
{
    (void)state;
    const statistics t = run_on(&moody[1], 20, 1);
    assert_int_equal(t.n_failed, 0);
    assert_int_equal(t.r0.tried, 20);
}

static void cases_that_give_nothing_are_not_compared(void **state)
{
    (void)state;
    const conform_fresh fresh = {.n = 2, .at = {3, 5}, .digest = {{7, 0}}};
    conform_verdict v = {.outcome = OUTCOME_PASS};
    conform_fresh_compare(&fresh, 3, 0, &v); /* v has no digest */
    v.digest = 9;
    conform_fresh_compare(&fresh, 5, 0, &v); /* the other process has none for case 5 */
    conform_fresh_compare(&fresh, 4, 0, &v); /* case 4 is none of the chosen ones */
    assert_int_equal(v.relations[0].tried, 0);
    conform_fresh_compare(&fresh, 3, 0, &v);
    assert_int_equal(v.check, CHECK_FRESH);
    assert_true(conform_fresh_has(&fresh, 5) && !conform_fresh_has(&fresh, 4));
}

static void so_does_a_case_that_is_there_twice(void **state)
{
    (void)state;
    conform_fresh fresh = {.n = 2, .n_dtypes = 1, .at = {3, 5, 3}};
    conform_verdict there = {.outcome = OUTCOME_PASS}, here = {.outcome = OUTCOME_PASS};
    conform_verdict_fail(&there, CHECK_FIRST, "of its dtype");
    conform_fresh_note(&fresh, 2, 0, &there);
    conform_fresh_compare(&fresh, 3, 0, &here);
    assert_int_equal(here.check, CHECK_FIRST);
}

static void what_fails_in_another_process_fails_here(void **state)
{
    (void)state;
    conform_fresh fresh = {.n = 2, .at = {3, 5}};
    conform_verdict there = {.outcome = OUTCOME_PASS, .digest = 7};
    conform_verdict v = {.outcome = OUTCOME_PASS};
    conform_fresh_note(&fresh, 0, 0, &there);
    assert_int_equal(fresh.digest[0][0], 7);
    there.digest = 0;
    conform_verdict_fail(&there, CHECK_VALUE, "beyond");
    conform_fresh_note(&fresh, 1, 0, &there);
    conform_fresh_compare(&fresh, 5, 0, &v);
    assert_int_equal(v.check, CHECK_FRESH);
    assert_non_null(strstr(v.detail, "value: beyond"));
    v = (conform_verdict){.outcome = OUTCOME_PASS};
    conform_fresh_compare(&fresh, 3, 0, &v);
    assert_int_equal(v.outcome, OUTCOME_PASS);
    v = there;
    conform_fresh_compare(&fresh, 5, 0, &v); /* the case fails here as well */
    assert_int_equal(v.check, CHECK_VALUE);
}

static void first_calls_that_fail_keep_their_name(void **state)
{
    (void)state;
    conform_fresh fresh = {.n = 1, .at = {3}};
    conform_verdict there = {.outcome = OUTCOME_PASS}, v = {.outcome = OUTCOME_PASS};
    conform_verdict_fail(&there, CHECK_FIRST, "half made");
    conform_fresh_note(&fresh, 0, 0, &there);
    conform_fresh_compare(&fresh, 3, 0, &v);
    assert_int_equal(v.check, CHECK_FIRST);
    assert_string_equal(v.detail, "half made");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(other_bits_in_another_process_fail),
        RUN(the_same_bits_pass_and_are_counted),
        RUN(one_process_has_no_other),
        RUN(cases_that_give_nothing_are_not_compared),
        RUN(what_fails_in_another_process_fails_here),
        RUN(so_does_a_case_that_is_there_twice),
        RUN(first_calls_that_fail_keep_their_name),
    };
    const int zero = open("/dev/zero", O_RDWR);
    n_opened = mmap(NULL, sizeof *n_opened, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
    close(zero);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
