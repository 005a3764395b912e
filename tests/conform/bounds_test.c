#include "bounds.h"

#include "case_pool.h"
#include "test.h"

static conform_sum sum_of(const double *terms, int n)
{
    conform_sum s = {0};
    for (int i = 0; i < n; i++)
        conform_sum_add(&s, terms[i], terms[i]);
    return s;
}

TEST(gamma_has_the_values_of_the_contract)
{
    /* the figures of numerics 14 */
    assert_true(fabs(conform_gamma(64) - 3.8e-6) < 0.05e-6);
    assert_true(fabs(conform_gamma(4096) - 2.4e-4) < 0.05e-4);
    assert_true(fabs(conform_gamma(151936) - 9.1e-3) < 0.05e-3);
    assert_true(fabs(10 * U * sqrt(4096 + 2) - 3.8e-5) < 0.05e-5);
}

TEST(sums_keep_what_f64_loses)
{
    const double terms[] = {1e16, 1.0, -1e16};
    const conform_sum s = sum_of(terms, 3);
    assert_true(conform_sum_value(&s) == 1.0);
    assert_true(s.a >= 2e16);
    assert_int_equal(s.n, 3);
}

TEST(infinities_stay_what_they_are)
{
    const double infinity = (double)INFINITY;
    const double up[] = {1.0, infinity, 2.0}, both[] = {infinity, -infinity};
    conform_sum s = sum_of(up, 3);
    assert_true(conform_sum_value(&s) == infinity);
    s = sum_of(both, 2);
    assert_true(isnan(conform_sum_value(&s)));
}

TEST(exact_inputs_have_no_tolerance)
{
    const double terms[] = {1, 2, 3};
    const conform_sum s = sum_of(terms, 3);
    assert_true(conform_sum_bound(&s, TIER_T0, 3, SMIN) == 0);
    assert_true(conform_sum_bound(&s, TIER_T1, 3, SMIN) >= conform_gamma(3) * 6);
}

/* At k = 4096 the statistical bound is far below the proven one; at k = 2 it is not used. */
TEST(the_statistical_bound_only_tightens)
{
    conform_sum s = {0};
    for (int i = 0; i < 4096; i++)
        conform_sum_add(&s, i % 2 ? 1.0 : -1.0, 1.0);
    const double t1 = conform_sum_bound(&s, TIER_T1, 4096, 0);
    const double t2 = conform_sum_bound(&s, TIER_T2, 4096, 0);
    assert_true(t1 / t2 > 300 && t1 / t2 < 500);
    const double two[] = {1, -1};
    s = sum_of(two, 2);
    assert_true(conform_sum_bound(&s, TIER_T2, 2, 0) == conform_sum_bound(&s, TIER_T1, 2, 0));
}

TEST(a_sum_that_surely_overflows_is_an_infinity)
{
    conform_pool pool;
    conform_pool_init(&pool);
    conform_truth t = {0};
    conform_truth_take(&t, CLASS_BOUND, 2, &pool);
    const double same[] = {-0x1.8p127, -0x1.8p127}, mixed[] = {0x1.8p127, 0x1.8p127, -0x1p127};
    conform_sum s = sum_of(same, 2);
    conform_judge_sum(&t, 0, &s, &(conform_summing){.tier = TIER_T1, .h = 2}, 0);
    assert_true(t.want[0] == -(double)INFINITY);
    assert_false(t.skip[0]);
    s = sum_of(mixed, 3); /* some orders of summation overflow on the way, others do not */
    conform_judge_sum(&t, 1, &s, &(conform_summing){.tier = TIER_T1, .h = 3}, 0);
    assert_true(t.skip[1]);
    conform_pool_fini(&pool);
}

TEST(power_says_how_many_tolerances_a_term_is_worth)
{
    conform_pool pool;
    conform_pool_init(&pool);
    conform_truth t = {0};
    conform_truth_take(&t, CLASS_BOUND, 1, &pool);
    conform_sum s = {0};
    for (int i = 0; i < 5000; i++)
        conform_sum_add(&s, 1.0, 1.0);
    conform_judge_sum(&t, 0, &s, &(conform_summing){.tier = TIER_T1, .h = 5000}, 0);
    assert_true(t.power < 1); /* gamma(5000) of 5000 terms exceeds one term */
    t.power = 0;
    conform_judge_sum(&t, 0, &s, &(conform_summing){.tier = TIER_T2, .h = 5000}, 0);
    assert_true(t.power > 10);
    conform_pool_fini(&pool);
}

TEST(silu_is_the_formula_at_its_ends)
{
    const conform_declared d = {.exp_eps = 4 * U, .rsqrt_rel = 2 * U};
    double bound;
    assert_true(conform_silu(0.0f, &d, &bound) == 0);
    assert_true(conform_silu(INFINITY, &d, &bound) == (double)INFINITY);
    assert_true(isnan(conform_silu(-INFINITY, &d, &bound)));
    assert_true(fabs(conform_silu(1.0f, &d, &bound) - 0.7310585786300049) < 1e-15);
    assert_true(bound > 4 * U * 0.73 && bound < 9 * U * 0.74);
    assert_true(fabs(conform_silu(-100.0f, &d, &bound)) <= 0x1p-119);
    assert_true(bound >= 0x1p-119);
}

TEST(flushing_doubles_the_floor)
{
    conform_declared d = {0};
    assert_true(conform_floor_unit(&d) == SMIN);
    d.ftz = 1;
    assert_true(conform_floor_unit(&d) == 2 * FMIN);
}
