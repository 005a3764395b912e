#include "report_fields.h"
#include "run_bias.h"

#include <math.h>
#include <string.h>

#include "bench.h"
#include "gen.h"
#include "run_report.h"
#include "test.h"

static conform_mean samples(int n, double shift)
{
    conform_mean m = {0};
    const conform_stream s = conform_stream_of(7, "samples");
    for (int i = 0; i < n; i++)
        conform_mean_add(&m, (double)conform_normal(s, (uint64_t)i) + shift);
    return m;
}

TEST(mean_and_error_are_those_of_the_samples)
{
    conform_mean m = {0}, other = {0};
    for (int i = 1; i <= 4; i++)
        conform_mean_add(i < 3 ? &m : &other, i);
    report_merge(&report_mean_fields, &m, &other);
    assert_int_equal(m.n, 4);
    assert_true(conform_mean_value(&m) == 2.5);
    /* variance 5/3, divided by four samples */
    assert_true(fabs(conform_mean_error(&m) - sqrt(5.0 / 12)) < 1e-15);
    assert_true(conform_mean_error(&(conform_mean){1, 3, 9}) == 0);
}

static const conform_mean none = {0};

TEST(six_standard_errors_are_the_border)
{
    const conform_mean fair = samples(10000, 0), near = samples(10000, 0.04),
                       far = samples(10000, 0.08), few = samples(BIAS_ENOUGH - 1, 10);
    assert_false(conform_mean_is_biased(&fair, &none));
    assert_false(conform_mean_is_biased(&near, &none));
    assert_true(conform_mean_is_biased(&far, &none));
    assert_false(conform_mean_is_biased(&few, &none));
}

TEST(no_error_at_all_is_no_bias)
{
    conform_mean zeros = {0}, same = {0}, nan = {0};
    for (int i = 0; i < 200; i++) {
        conform_mean_add(&zeros, 0);
        conform_mean_add(&same, 0.5);
        conform_mean_add(&nan, (double)NAN);
    }
    assert_false(conform_mean_is_biased(&zeros, &none));
    assert_true(conform_mean_is_biased(&same, &none));
    assert_true(conform_mean_is_biased(&nan, &none));
}

/* An error that may be one-sided moves the border on both sides of zero. */
TEST(a_lean_is_no_bias)
{
    const conform_mean up = samples(10000, 0.12), down = samples(10000, -0.12);
    conform_mean lean = {0}, less = {0};
    for (int i = 0; i < 10000; i++) {
        conform_mean_add(&lean, 0.1);
        conform_mean_add(&less, 0.08);
    }
    assert_false(conform_mean_is_biased(&up, &lean));
    assert_false(conform_mean_is_biased(&down, &lean));
    assert_true(conform_mean_is_biased(&up, &less));
    assert_true(conform_mean_is_biased(&down, &less));
}

TEST(only_passing_cases_of_t2_are_counted)
{
    conform_kind kind = {0};
    conform_case c = bench_case(1, 1, 1);
    conform_verdict v = {.outcome = OUTCOME_PASS,
                         .n_signed = 4,
                         .signed_sum = 2,
                         .outward_sum = -1,
                         .signed_squares = 16,
                         .lean_sum = 0.5};
    conform_count_bias(&kind, &c, &v);
    c.tier = TIER_T1;
    conform_count_bias(&kind, &c, &v);
    c.tier = TIER_T2;
    v.outcome = OUTCOME_FAIL;
    conform_count_bias(&kind, &c, &v);
    v.outcome = OUTCOME_PASS;
    v.n_signed = 0;
    conform_count_bias(&kind, &c, &v);
    assert_int_equal(kind.bias.n, 1);
    assert_true(kind.bias.sum == 0.5);
    assert_true(kind.outward.sum == -0.25);
    assert_true(kind.lean.sum == 0.125 + 2.0 / BIAS_SHARE && kind.lean.n == 1);
}

TEST(a_bias_is_a_problem_with_its_numbers)
{
    conform_report r = bench_measurement();
    conform_report_cell(&r, IFN_OP_MATMUL, 1)->kinds[IFN_DTYPE_F32][0].outward =
        samples(10000, -0.5);
    conform_report_kinds(&r);
    assert_int_equal(r.n_problems, 1);
    const char want[] = "./mine.so: matmul of F32 errs to or from zero: by -0.5 of the root of its "
                        "squared errors, expected 0 at most, standard error 0.01";
    assert_string_equal(r.problems[0], want);
    conform_report_close(&r);
}
