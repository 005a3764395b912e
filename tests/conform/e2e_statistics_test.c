/* Statistics of the steps of a row: a row without a comparison is a failure, and the first failure is kept. */
#include "e2e_statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static e2e_statistics *open_statistics(void)
{
    e2e_statistics *const t = calloc(1, sizeof *t);
    assert_non_null(t);
    return t;
}

static e2e_step fine(double error, double kl)
{
    return (e2e_step){.error = error, .allowed = 8, .kl = kl, .range = 1};
}

TEST(a_run_without_a_step_has_failed)
{
    e2e_statistics *const t = open_statistics();
    e2e_statistics_begin(t);
    e2e_statistics_end(t, "text, whole");
    assert_int_equal(t->row.runs, 1);
    assert_int_equal(t->row.failed, 1);
    assert_string_equal(t->row.check, "status");
    assert_string_equal(t->row.detail, "text, whole: no step was compared, expected one or more");
    free(t);
}

TEST(steps_are_counted_and_the_worst_is_kept)
{
    e2e_statistics *const t = open_statistics();
    for (int run = 0; run < 2; run++) {
        e2e_statistics_begin(t);
        for (int i = 0; i < 100; i++) {
            e2e_step step = fine(i < 99 ? 2 : 4, i < 98 ? 0x1p-30 : 0x1p-10);
            step.is_tie = i == 7;
            e2e_statistics_step(t, &step, i, "x");
        }
        e2e_statistics_end(t, "x");
    }
    assert_int_equal(t->row.runs, 2);
    assert_int_equal(t->row.failed, 0);
    assert_int_equal(t->row.steps, 200);
    assert_int_equal(t->row.ties, 2);
    assert_true(t->row.worst == 0.5 && t->row.kl_max == 0x1p-10);
    /* 98 of 100 errors are tiny, so the 99th of 100 is the largest, within a bin */
    assert_true(t->row.kl_99 >= 0x1p-10 * 0.95 && t->row.kl_99 <= 0x1p-10);
    assert_true(fabs(t->row.kl_mean - (98 * 0x1p-30 + 2 * 0x1p-10) / 100) < 1e-12);
    assert_string_equal(t->row.check, "");
    free(t);
}

TEST(the_first_failure_is_told_and_a_run_fails_once)
{
    e2e_statistics *const t = open_statistics();
    e2e_step far = fine(9, 0), other = fine(9, 0);
    far.check = E2E_LOGITS;
    other.check = E2E_TOKEN;
    e2e_statistics_begin(t);
    e2e_statistics_step(t, &far, 3, "text, whole");
    e2e_statistics_step(t, &other, 4, "text, whole");
    e2e_statistics_end(t, "text, whole");
    assert_int_equal(t->row.failed, 1);
    assert_string_equal(t->row.check, "logits");
    assert_string_equal(t->row.detail, "text, whole, step 3: logits are off by 9.000e+00, expected "
                                       "at most 8.000e+00 (8 sigma)");
    free(t);
}

TEST(what_is_nan_stays_nan)
{
    e2e_statistics *const t = open_statistics();
    e2e_step nan = fine((double)NAN, (double)NAN), after = fine(1, 0.1);
    nan.check = E2E_NOT_FINITE;
    e2e_statistics_begin(t);
    e2e_statistics_step(t, &nan, 0, "x");
    e2e_statistics_step(t, &after, 1, "x");
    e2e_statistics_end(t, "x");
    assert_true(isnan(t->row.worst) && isnan(t->row.kl_max) && isnan(t->row.kl_mean));
    assert_string_equal(t->row.check, "not-finite");
    free(t);
}

/* Without noise, no error has ratio 0, and any error is infinitely far above the bound. */
TEST(nothing_allowed_and_nothing_wrong_is_zero)
{
    e2e_statistics *const t = open_statistics();
    e2e_step none = {.error = 0, .allowed = 0}, some = {.error = 1e-30, .allowed = 0};
    e2e_statistics_step(t, &none, 0, "x");
    assert_true(t->row.worst == 0);
    e2e_statistics_step(t, &some, 1, "x");
    assert_true(isinf(t->row.worst));
    free(t);
}

TEST(unequal_bits_fail_only_where_they_were_promised)
{
    e2e_statistics *const t = open_statistics();
    e2e_statistics_begin(t);
    e2e_statistics_relation(t, 1, 1, "x");
    e2e_statistics_relation(t, 0, 0, "x");
    assert_string_equal(t->row.check, "");
    e2e_statistics_relation(t, 0, 1, "text, chunks 1+2");
    assert_string_equal(t->row.check, "unequal");
    assert_non_null(strstr(t->row.detail, "text, chunks 1+2: other bits than in one chunk"));
    assert_int_equal(t->row.tried, 3);
    assert_int_equal(t->row.held, 1);
    assert_int_equal(t->row.demanded, 2);
    free(t);
}
