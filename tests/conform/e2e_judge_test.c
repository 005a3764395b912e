/* The rules of numerics 11 for one step, each tried on both sides of its border. */
#include "e2e_judge.h"

#include <math.h>

#include "test.h"

enum { N = 4 };

static const double truth[N] = {1.0, 3.0, 2.5, -4.0};

static e2e_step judge(const float *logits, double sigma, int is_bounded)
{
    const e2e_want want = {truth, N, sigma, is_bounded};
    return e2e_judge_step(&want, logits);
}

TEST(equal_logits_are_fine_even_with_no_noise)
{
    const float logits[N] = {1.0f, 3.0f, 2.5f, -4.0f};
    const e2e_step step = judge(logits, 0, 1);
    assert_int_equal(step.check, E2E_FINE);
    assert_int_equal(step.want, 1);
    assert_int_equal(step.got, 1);
    assert_true(step.error == 0 && step.kl == 0 && step.margin == 0.5 && !step.is_tie);
}

TEST(an_error_of_eight_sigma_passes_and_more_does_not)
{
    const float logits[N] = {1.0f, 3.0f, 2.5f, -4.125f};
    assert_int_equal(judge(logits, 0.125 / 8, 1).check, E2E_FINE);
    assert_int_equal(judge(logits, 0.1249 / 8, 1).check, E2E_LOGITS);
}

TEST(without_the_rule_only_tokens_count)
{
    const float logits[N] = {1.0f, 3.0f, 2.5f, -40.0f};
    assert_int_equal(judge(logits, 1e-6, 0).check, E2E_FINE);
}

TEST(one_nan_fails_whatever_the_rule)
{
    for (int at = 0; at < N; at++)
        for (int is_bounded = 0; is_bounded < 2; is_bounded++) {
            float logits[N] = {1.0f, 3.0f, 2.5f, -4.0f};
            logits[at] = NAN;
            assert_int_equal(judge(logits, 1e3, is_bounded).check, E2E_NOT_FINITE);
            logits[at] = -INFINITY;
            assert_int_equal(judge(logits, 1e3, is_bounded).check, E2E_NOT_FINITE);
        }
}

TEST(a_sigma_that_is_nan_excuses_nothing)
{
    const float near[N] = {1.0f, 3.0f, 2.5f, -4.0f}, other[N] = {1.0f, 2.6f, 2.9f, -4.0f};
    assert_int_equal(judge(near, (double)NAN, 1).check, E2E_LOGITS);
    assert_int_equal(judge(other, (double)NAN, 0).check, E2E_TOKEN);
}

/* The margin is 0.5; an error of 0.3 exchanges the best two logits. */
TEST(another_token_is_a_failure_unless_the_margin_is_small)
{
    const float logits[N] = {1.0f, 2.7f, 2.8f, -4.0f};
    const e2e_step red = judge(logits, 0.49 / 16, 0), tie = judge(logits, 0.5 / 16, 0);
    assert_int_equal(red.check, E2E_TOKEN);
    assert_int_equal(red.got, 2);
    assert_false(red.is_tie);
    assert_int_equal(tie.check, E2E_FINE);
    assert_true(tie.is_tie);
    assert_int_equal(tie.got, 2);
}

/* The logits are exact and their argmax is not 2, so a sampler that returned 2 decided wrongly. */
TEST(a_choice_that_the_logits_exclude_is_a_wrong_decision)
{
    const float logits[N] = {1.0f, 3.0f, 2.5f, -4.0f};
    e2e_step step = judge(logits, 1.0, 0); /* 16 sigma: far within a near tie */
    e2e_judge_choice(&step, 2);
    assert_int_equal(step.check, E2E_DECISION);
    step = judge(logits, 1.0, 0);
    e2e_judge_choice(&step, 1);
    assert_int_equal(step.check, E2E_FINE);
}

TEST(the_lowest_of_equal_logits_is_the_best_and_nan_is_not)
{
    assert_int_equal(e2e_best_of_f32((const float[]){1, 2, 2}, 3), 1);
    assert_int_equal(e2e_best_of_f32((const float[]){NAN, -2, NAN}, 3), 1);
    assert_int_equal(e2e_best_of((const double[]){0, 0, 0}, 3), 0);
    assert_int_equal(e2e_best_of((const double[]){(double)NAN, 1}, 2), 1);
}

/* p* = (1/2, 1/2), and the logits are off by +-t: KL = log cosh t. */
TEST(kl_is_the_closed_form_down_to_small_errors)
{
    for (int e = 0; e >= -20; e--) {
        const double t = ldexp(1.0, e), two[2] = {0, 0};
        const double want = e < -7 ? t * t / 2 - t * t * t * t / 12 : log(cosh(t));
        const double got = e2e_kl(two, (const float[]){(float)t, (float)-t}, 2);
        assert_that(fabs(got - want) <= 1e-9 * want, "2^%d: %.12e, expected %.12e", e, got, want);
    }
}

/* For errors at two points KL approaches the bound as the errors get small, and never exceeds it. */
TEST(kl_never_exceeds_an_eighth_of_the_range_squared)
{
    for (int e = 2; e >= -20; e--)
        for (int shift = -3; shift <= 3; shift++) {
            const double two[2] = {0, (double)shift / 4};
            const float t = ldexpf(1.0f, e), logits[2] = {t, (float)two[1] - t};
            const e2e_want want = {two, 2, 1e3, 1};
            const e2e_step step = e2e_judge_step(&want, logits);
            assert_that(step.check == E2E_FINE, "2^%d, %d/4: %s", e, shift,
                        e2e_check_name(step.check));
        }
}

TEST(one_token_has_no_second)
{
    const double one[1] = {5};
    const e2e_want want = {one, 1, 0, 1};
    const e2e_step step = e2e_judge_step(&want, (const float[]){5});
    assert_int_equal(step.check, E2E_FINE);
    assert_true(isinf(step.margin) && step.kl == 0);
}

TEST(every_fault_has_a_name_of_its_own)
{
    for (int i = E2E_FINE; i <= E2E_DIED; i++)
        for (int j = E2E_FINE; j < i; j++)
            assert_string_not_equal(e2e_check_name((e2e_check)i), e2e_check_name((e2e_check)j));
    assert_string_equal(e2e_check_name((e2e_check)99), "?");
}
