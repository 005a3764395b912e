#include "run_relations.h"

#include <string.h>

#include "bench.h"
#include "run_report.h"
#include "test.h"

static conform_verdict verdict_of(double ratio)
{
    return (conform_verdict){
        .outcome = OUTCOME_PASS, .ratio = ratio, .relations = {[3] = {2, 1, 2}}};
}

static conform_report report_of(int64_t n, int64_t length, double ratio)
{
    conform_report r;
    const conform_case c = bench_case(2, length, 3);
    const conform_verdict v = verdict_of(ratio);
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    for (int64_t i = 0; i < n; i++)
        conform_report_add(&r, &c, 0, &v);
    return r;
}

TEST(relations_are_summed_up_and_merged)
{
    conform_report a = report_of(3, 64, 0.5), b = report_of(4, 64, 0.25);
    assert_int_equal(conform_report_merge(&a, &b), 1);
    const conform_cell *cell = conform_report_cell(&a, IFN_OP_MATMUL, 0);
    assert_int_equal(cell->relations[3].tried, 14);
    assert_int_equal(cell->relations[3].held, 7);
    assert_int_equal(cell->relations[3].demanded, 14);
    assert_int_equal(cell->relations[2].tried, 0);
    assert_int_equal(cell->kinds[IFN_DTYPE_F32][0].t2_cases, 7);
    assert_true(cell->kinds[IFN_DTYPE_F32][0].t2_ratio == 0.5);
    conform_report_close(&a);
    conform_report_close(&b);
}

static int problems_of(int64_t n, int64_t length, double ratio)
{
    conform_report r = report_of(n, length, ratio);
    conform_report_kinds(&r);
    const int n_problems = r.n_problems;
    if (n_problems) {
        assert_non_null(strstr(r.problems[0], "mine: matmul of F32"));
        assert_int_equal(conform_report_is_conformant(&r), 0);
    }
    conform_report_close(&r);
    return n_problems;
}

TEST(a_bound_that_nothing_comes_near_is_a_problem)
{
    assert_int_equal(problems_of(200, 64, 0.009), 1);
    assert_int_equal(problems_of(200, 64, 0.011), 0);
    assert_int_equal(problems_of(200, 63, 0.009), 0); /* short sums may well be exact */
    assert_int_equal(problems_of(20, 64, 0.009), 0);  /* too few cases for a conclusion */
}

/* Only T2 has the sharp bound, and only passed cases count. */
TEST(only_passed_cases_of_t2_count)
{
    conform_report r = report_of(1, 64, 0.5);
    conform_case c = bench_case(2, 64, 3);
    conform_verdict v = verdict_of(0.9);
    c.tier = TIER_T1;
    conform_report_add(&r, &c, 0, &v);
    c.tier = TIER_T2;
    v.outcome = OUTCOME_FAIL;
    v.check = CHECK_LAW;
    conform_report_add(&r, &c, 0, &v);
    const conform_kind *kind = &conform_report_cell(&r, IFN_OP_MATMUL, 0)->kinds[IFN_DTYPE_F32][0];
    assert_int_equal(kind->t2_cases, 1);
    assert_true(kind->t2_ratio == 0.5);
    conform_report_close(&r);
}
