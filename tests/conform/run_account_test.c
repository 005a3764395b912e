#include <string.h>

#include "bench.h"
#include "test.h"

TEST(nothing_executed_is_a_problem)
{
    conform_report r;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict refused = {.outcome = OUTCOME_REFUSED, .is_declared = 1};
    conform_report_open(&r, 1);
    memcpy(r.label[0], "lazy", 5);
    conform_report_account(&r);
    assert_int_equal(r.n_problems, 1);
    assert_string_equal(r.problems[0], "lazy: not one case was executed");
    r.n_problems = 0;
    conform_report_add(&r, &c, 0, &refused);
    conform_report_account(&r);
    assert_int_equal(r.n_problems, 2);
    assert_string_equal(r.problems[0], "lazy: every case of matmul was refused");
    assert_string_equal(r.problems[1], "lazy: not one case was executed");
    assert_false(conform_report_is_conformant(&r));
    conform_report_close(&r);
}

TEST(what_a_baseline_ran_may_not_be_refused)
{
    conform_report then, now;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict passed = {.outcome = OUTCOME_PASS},
                          refused = {.outcome = OUTCOME_REFUSED};
    conform_report_open(&then, 1);
    conform_report_open(&now, 1);
    memcpy(then.label[0], "mine", 5);
    memcpy(now.label[0], "mine", 5);
    conform_report_add(&then, &c, 0, &passed);
    conform_report_add(&now, &c, 0, &passed);
    conform_report_compare(&now, &then);
    assert_true(conform_report_is_conformant(&now));
    conform_report_add(&now, &c, 0, &refused);
    conform_report_compare(&now, &then);
    assert_int_equal(now.n_problems, 1);
    assert_string_equal(now.problems[0], "mine: newly refused: matmul of raw F32");
    conform_report_close(&then);
    conform_report_close(&now);
}

TEST(refusals_that_are_not_declared_are_problems)
{
    conform_report r;
    const conform_case c = bench_case(1, 1, 1);
    conform_case prepared = c;
    const conform_verdict passed = {.outcome = OUTCOME_PASS},
                          declared = {.outcome = OUTCOME_REFUSED, .is_declared = 1},
                          silent = {.outcome = OUTCOME_REFUSED};
    prepared.prepared = 1;
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    conform_report_add(&r, &c, 0, &passed);
    conform_report_add(&r, &c, 0, &declared);
    conform_report_account(&r);
    assert_true(conform_report_is_conformant(&r));
    conform_report_add(&r, &prepared, 0, &silent);
    conform_report_add(&r, &prepared, 0, &silent);
    conform_report_account(&r);
    assert_int_equal(r.n_problems, 1);
    const char want[] =
        "mine: refuses 2 cases of matmul of prepared F32, and its manifest does not say so";
    assert_string_equal(r.problems[0], want);
    conform_report_close(&r);
}

/* A report must count as many cases as were planned, or some were lost. */
TEST(cases_that_were_not_judged_are_a_problem)
{
    conform_report r;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict passed = {.outcome = OUTCOME_PASS};
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    r.planned[0] = (conform_planned){2, 2, 1, 1};
    conform_report_add(&r, &c, 0, &passed);
    conform_report_account(&r);
    assert_int_equal(r.n_problems, 1);
    assert_string_equal(r.problems[0], "mine: 1 cases were judged, expected the 2 planned");
    conform_report_close(&r);
}

typedef struct pair {
    conform_report then, now;
} pair;

/* Opens two reports in which one case of matmul passes. */
static pair open_pair(void)
{
    pair p;
    const conform_case c = bench_case(1, 1, 1);
    const conform_verdict passed = {.outcome = OUTCOME_PASS};
    conform_report_open(&p.then, 1);
    conform_report_open(&p.now, 1);
    memcpy(p.then.label[0], "mine", 5);
    memcpy(p.now.label[0], "mine", 5);
    conform_report_add(&p.then, &c, 0, &passed);
    conform_report_add(&p.now, &c, 0, &passed);
    return p;
}

static void expect_and_close(pair *p, const char *problem)
{
    conform_report_compare(&p->now, &p->then);
    assert_int_equal(p->now.n_problems, *problem != '\0');
    assert_string_equal(*problem ? p->now.problems[0] : "", problem);
    conform_report_close(&p->then);
    conform_report_close(&p->now);
}

TEST(half_a_run_is_not_held_against_a_baseline)
{
    conform_case prepared = bench_case(1, 1, 1);
    const conform_verdict passed = {.outcome = OUTCOME_PASS};
    prepared.prepared = 1;
    pair p = open_pair();
    conform_report_cell(&p.then, IFN_OP_ADD, 0)->cases = 1;
    expect_and_close(&p, "mine: add was not run, and is in the baseline");
    p = open_pair();
    conform_report_cell(&p.then, IFN_OP_ADD, 0)->cases = 1;
    memcpy(p.now.filters, "--op matmul", 12);
    expect_and_close(&p, "");
    p = open_pair();
    conform_report_cell(&p.now, IFN_OP_ADD, 0)->cases = 1;
    expect_and_close(&p, "mine: the baseline has no add, expected a whole run");
    p = open_pair();
    conform_report_add(&p.then, &prepared, 0, &passed);
    expect_and_close(&p, "mine: matmul of prepared F32 was not run, and is in the baseline");
    p = open_pair();
    memcpy(p.now.shard, "0/2", 4);
    expect_and_close(&p, "baseline: this is shard 0/2, expected a whole run");
    p = open_pair();
    memcpy(p.then.shard, "1/2", 4);
    expect_and_close(&p, "baseline: is shard 1/2, expected a whole run");
    p = open_pair();
    memcpy(p.then.profile, "ci", 3);
    expect_and_close(&p, "baseline: profile ci, expected that of this run, ");
    p = open_pair();
    memcpy(p.then.label[0], "other", 6);
    expect_and_close(&p, "mine: is not in the baseline");
}

/* Compares two reports of one passing case; `then` and `now` are its worst errors / bounds. */
static int doubles(double then, double now)
{
    conform_report old, new;
    const conform_case c = bench_case(1, 1, 1);
    conform_report_open(&old, 1);
    conform_report_open(&new, 1);
    const conform_verdict was = {.outcome = OUTCOME_PASS, .ratio = then},
                          is = {.outcome = OUTCOME_PASS, .ratio = now};
    conform_report_add(&old, &c, 0, &was);
    conform_report_add(&new, &c, 0, &is);
    conform_report_compare(&new, &old);
    const int n = new.n_problems;
    conform_report_close(&old);
    conform_report_close(&new);
    return n;
}

TEST(a_worst_error_that_doubles_is_a_problem_though_it_passes)
{
    assert_int_equal(doubles(0.3, 0.6), 0);
    assert_int_equal(doubles(0.3, 0.61), 1);
    assert_int_equal(doubles(0.6, 0.3), 0);
    assert_int_equal(doubles(0, 0.02), 0); /* a few hundredths of a bound do not count */
    assert_int_equal(doubles(0, 0.021), 1);
}
