/* Runs one fault at a time, on backends that have one fault each. */
#include "museum_run.h"

#include <stdlib.h>

#include "bench.h"
#include "plan_cases.h"
#include "test.h"

static conform_plan smoke_plan(void)
{
    const conform_filter filter = {.profile = PROFILE_SMOKE, .seed = 3};
    conform_plan plan;
    ifn_error err = {0};
    assert_ok(conform_plan_open(&plan, matmul_spec(), &filter, &err), err);
    return plan;
}

static conform_museum_row try_tested(const conform_tested *tested, int n_detectors)
{
    static const conform_museum_fault fault = {
        .name = "fault", .op = "matmul", .killer = "", .text = "", .source = "own"};
    conform_museum_row row = {.fault = &fault, .op = IFN_OP_MATMUL};
    conform_plan plan = smoke_plan();
    conform_case *cases;
    conform_runner r;
    ifn_error err = {0};
    bench_open(&r, tested, 0, 10);
    assert_ok(conform_museum_order(plan.cases, plan.n, &cases, &err), err);
    assert_ok(conform_museum_try(&r, cases, plan.n, n_detectors, &row, &err), err);
    conform_runner_close(&r);
    conform_plan_close(&plan);
    free(cases);
    return row;
}

static int is_alike(const conform_case *a, const conform_case *b)
{
    const int64_t work = conform_module_matmul.work(a), other = conform_module_matmul.work(b);
    return a->tier == b->tier && a->family == b->family && (work == 0) == (other == 0);
}

/* Returns how many cases of the same kind stand before case `at`. */
static int64_t rank_of(const conform_case *cases, int64_t at)
{
    int64_t n = 0;
    for (int64_t i = 0; i < at; i++)
        n += is_alike(&cases[i], &cases[at]);
    return n;
}

/* The cheapest case of a kind comes first among its kind, and a first one never waits for an equally expensive
 * second one. */
TEST(kinds_take_turns_each_with_its_cheapest_first)
{
    conform_plan plan = smoke_plan();
    conform_case *cases;
    ifn_error err = {0};
    assert_ok(conform_museum_order(plan.cases, plan.n, &cases, &err), err);
    int64_t sum = 0, want = 0, n_first = 0;
    for (int64_t i = 0; i < plan.n; i++) {
        const int64_t work = conform_module_matmul.work(&cases[i]), rank = rank_of(cases, i);
        sum += work;
        want += conform_module_matmul.work(&plan.cases[i]);
        n_first += rank == 0;
        for (int64_t j = 0; j < i; j++) {
            const int64_t before = conform_module_matmul.work(&cases[j]);
            assert_true(!is_alike(&cases[j], &cases[i]) || before <= work);
            assert_true(rank > 0 || before < work || rank_of(cases, j) == 0);
        }
    }
    assert_int_equal(sum, want);
    assert_true(n_first > 10);
    free(cases);
    conform_plan_close(&plan);
}

TEST(an_honest_backend_survives_every_case)
{
    const conform_museum_row row = try_tested(&tested_honest, 1);
    assert_int_equal(conform_museum_killer(&row), -1);
    assert_true(row.n_cases > 200);
}

TEST(a_fault_is_left_as_soon_as_it_is_noticed)
{
    const conform_museum_row row = try_tested(&tested_drops_last, 1);
    assert_true(conform_museum_is_killed(&row));
    assert_true(row.n_cases < 200);
    const conform_museum_kill *k = &row.kills[conform_museum_killer(&row)];
    assert_true(k->work > 0 && k->work < 10000);
    assert_true(k->seconds > 0 && k->seconds <= row.seconds);
}

TEST(every_killer_of_a_fault_is_found)
{
    const conform_museum_row row = try_tested(&tested_drops_last, DETECTOR_COUNT);
    assert_true(row.n_cases > 200);
    assert_true(row.kills[TIER_T0].is_there);
    assert_true(row.kills[TIER_T1].is_there);
    assert_true(row.kills[TIER_T2].is_there);
    assert_int_equal(conform_museum_only_killer(&row), -1);
}

TEST(a_second_killer_is_enough_to_know_that_none_is_alone)
{
    const conform_museum_row all = try_tested(&tested_drops_last, DETECTOR_COUNT);
    const conform_museum_row two = try_tested(&tested_drops_last, 2);
    assert_true(conform_museum_is_killed(&two));
    assert_int_equal(conform_museum_only_killer(&two), -1);
    assert_true(two.n_cases < all.n_cases / 4);
}

TEST(what_only_one_detector_sees_only_it_kills)
{
    const conform_museum_row row = try_tested(&tested_writes_input, 2);
    assert_int_equal(conform_museum_only_killer(&row), DETECTOR_FIRST_CHECK + CHECK_GUARD);
}

TEST(a_guard_is_a_judgement_and_a_death_is_none)
{
    const conform_museum_row read = try_tested(&tested_reads_past, 1);
    assert_int_equal(conform_museum_killer(&read), DETECTOR_FIRST_CHECK + CHECK_GUARD);
    const conform_museum_row died = try_tested(&tested_crashes, 1);
    assert_false(conform_museum_is_killed(&died));
    assert_int_equal(conform_museum_killer(&died), DETECTOR_FIRST_CHECK + CHECK_CRASH);
}
