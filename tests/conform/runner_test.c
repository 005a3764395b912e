#include "runner.h"

#include <string.h>

#include "case_id.h"
#include "patience.h"
#include "plan_cases.h"
#include "test.h"
#include "tested.h"

typedef struct statistics {
    int64_t n, outcomes[4], checks[CHECK_COUNT];
    int64_t calls;
    conform_verdict first; /* the first failure */
    conform_case first_case;
} statistics;

static void count(void *cookie, const conform_case *c, int tested, const conform_verdict *verdict)
{
    statistics *t = (statistics *)cookie + tested;
    t->n++;
    t->outcomes[verdict->outcome]++;
    t->checks[verdict->check]++;
    t->calls += verdict->calls;
    if (verdict->outcome == OUTCOME_FAIL && !t->first.check) {
        t->first = *verdict;
        t->first_case = *c;
    }
}

static statistics run_cases(const conform_tested *tested, int n, int64_t n_cases, statistics *all)
{
    const spec_op *specs[IFN_OP_COUNT] = {[IFN_OP_MATMUL] = matmul_spec()};
    conform_runner r = {.tested = tested,
                        .n_tested = n,
                        .patience = patience_times(1),
                        .specs = (spec_op *const *)(uintptr_t)specs};
    const conform_filter filter = {.n_cases = n_cases, .seed = 1};
    conform_plan plan;
    ifn_error err = {0};
    statistics one[CONFORM_MAX_TESTED] = {{0}};
    assert_ok(conform_plan_open(&plan, matmul_spec(), &filter, &err), err);
    assert_ok(conform_runner_open(&r, &err), err);
    assert_ok(conform_runner_run(&r, plan.cases, plan.n, count, one, &err), err);
    for (int i = 0; i < n; i++)
        assert_int_equal(one[i].n, plan.n);
    conform_runner_close(&r);
    conform_plan_close(&plan);
    if (all)
        memcpy(all, one, (size_t)n * sizeof *one);
    return one[0];
}

/* Returns the slot of the batch (inputs and truth) that a verdict belongs to. */
static const conform_slot *slot_of(const conform_runner *r, int tested, const conform_verdict *v)
{
    for (int b = 0; b < CONFORM_BATCHES; b++) {
        const conform_verdict *const first = r->batches[b]->verdicts[tested];
        if (v >= first && v < first + CONFORM_BATCH_SLOTS)
            return &r->batches[b]->slots[v - first];
    }
    return NULL;
}

static const conform_slot *first_slot;
static int64_t n_shared;

static void expect_same_slot(void *cookie, const conform_case *c, int tested,
                             const conform_verdict *verdict)
{
    const conform_slot *const slot = slot_of(cookie, tested, verdict);
    assert_non_null(slot);
    assert_memory_equal(&slot->c, c, sizeof *c);
    if (tested == 0)
        first_slot = slot;
    else
        n_shared += slot == first_slot;
}

TEST(backends_of_one_run_share_inputs_and_truth)
{
    const spec_op *specs[IFN_OP_COUNT] = {[IFN_OP_MATMUL] = matmul_spec()};
    const conform_tested tested[] = {tested_honest, tested_zeros, tested_undeclared};
    conform_runner r = {.tested = tested,
                        .n_tested = 3,
                        .patience = patience_times(10),
                        .specs = (spec_op *const *)(uintptr_t)specs};
    const conform_filter filter = {.n_cases = 300, .seed = 1};
    conform_plan plan;
    ifn_error err = {0};
    n_shared = 0;
    assert_ok(conform_plan_open(&plan, matmul_spec(), &filter, &err), err);
    assert_ok(conform_runner_open(&r, &err), err);
    assert_ok(conform_runner_run(&r, plan.cases, plan.n, expect_same_slot, &r, &err), err);
    assert_int_equal(n_shared, 2 * plan.n);
    conform_runner_close(&r);
    conform_plan_close(&plan);
}

TEST(an_honest_backend_passes_everything)
{
    const statistics t = run_cases(&tested_honest, 1, 3000, NULL);
    char id[CONFORM_ID_BYTES];
    conform_case_id(&t.first_case, id);
    assert_that(t.outcomes[OUTCOME_PASS] == t.n, "%s: %s: %s: got %a want %a bound %a", id,
                conform_check_name(t.first.check), t.first.detail, t.first.worst.got,
                t.first.worst.want, t.first.worst.bound);
    assert_true(t.calls > 5 * t.n);
}

/* Other bits in parts are a failure only if the backend promised equal ones. */
TEST(undeclared_invariances_are_not_demanded)
{
    const statistics t = run_cases(&tested_undeclared, 1, 300, NULL);
    assert_that(t.outcomes[OUTCOME_PASS] == t.n, "%s: %s", conform_check_name(t.first.check),
                t.first.detail);
}

/* The check that each misbehaviour fails by, and how often at least in 300 cases. */
static const struct {
    const conform_tested *tested;
    conform_check check;
    int64_t at_least;
} expectations[] = {
    {&tested_one_past_the_end, CHECK_GUARD, 1},
    {&tested_one_before, CHECK_SLACK, 1},
    {&tested_reads_past, CHECK_GUARD, 1},
    {&tested_reads_before, CHECK_GUARD, 1},
    {&tested_writes_input, CHECK_GUARD, 1},
    {&tested_crashes, CHECK_CRASH, 1},
    {&tested_exits, CHECK_CRASH, 1},
    {&tested_stale_output, CHECK_VALUE, 100},
    {&tested_drops_last, CHECK_VALUE, 100},
    {&tested_swaps_rows, CHECK_VALUE, 50},
    {&tested_zeros, CHECK_VALUE, 100},
    {&tested_whole_in_every_part, CHECK_OUTSIDE, 50},
    {&tested_ignores_parts, CHECK_PARTS, 30},
    {&tested_part_dependent, CHECK_PARTS, 10},
    {&tested_address_dependent, CHECK_PLACE, 10},
    {&tested_fails, CHECK_STATUS, 1},
    {&tested_wobbles, CHECK_REPEAT, 10},
#ifdef __x86_64__
    {&tested_changes_mxcsr, CHECK_ABI, 200},
    {&tested_clobbers_rbx, CHECK_ABI, 200},
#endif
};

TEST(every_fault_is_seen_by_its_guard)
{
    for (size_t i = 0; i < N_OF(expectations); i++) {
        const statistics t = run_cases(expectations[i].tested, 1, 300, NULL);
        assert_that(t.checks[expectations[i].check] >= expectations[i].at_least,
                    "%s: %lld times %s, expected %lld", expectations[i].tested->label,
                    (long long)t.checks[expectations[i].check],
                    conform_check_name(expectations[i].check), (long long)expectations[i].at_least);
    }
}

/* The case fails at its place in the order, and the cases before and after it are judged. */
TEST(a_case_without_memory_fails_and_the_run_goes_on)
{
    for (int in_process = 0; in_process < 2; in_process++) {
        conform_case cases[3];
        conform_runner r = {.tested = &tested_honest,
                            .n_tested = 1,
                            .in_process = in_process,
                            .patience = patience_times(10)};
        conform_verdict v;
        ifn_error err = {0};
        statistics t = {0};
        for (int i = 0; i < 3; i++)
            cases[i] = (conform_case){.op = IFN_OP_MATMUL,
                                      .dim = {i == 1 ? 1 << 20 : 2, 3, 1 << (i == 1 ? 20 : 2)},
                                      .tier = TIER_T1,
                                      .family = FAMILY_NORMAL};
        assert_ok(conform_runner_open(&r, &err), err);
        assert_ok(conform_runner_run(&r, cases, 3, count, &t, &err), err);
        assert_int_equal(t.n, 3);
        assert_int_equal(t.outcomes[OUTCOME_PASS], 2);
        assert_int_equal(t.checks[CHECK_MEMORY], 1);
        assert_int_equal(t.first_case.dim[0], 1 << 20);
        assert_non_null(strstr(t.first.detail, "not executed"));
        assert_ok(conform_runner_try(&r, 0, &cases[1], &v, &err), err);
        assert_int_equal(v.check, CHECK_MEMORY);
        conform_runner_close(&r);
    }
}
