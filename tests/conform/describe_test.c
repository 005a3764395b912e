#include "describe.h"

#include <string.h>

#include "bench.h"
#include "test.h"

static void expect_nature_in(double seconds, const conform_tested *tested, conform_case c,
                             const char *nature)
{
    conform_runner r;
    ifn_error err = {0};
    bench_open(&r, tested, 0, 10);
    conform_failure f = bench_failure(&r, &c);
    assert_ok(conform_describe(&r, &f, seconds, &err), err);
    assert_that(strncmp(f.nature, nature, strlen(nature)) == 0, "'%s', expected '%s'", f.nature,
                nature);
    conform_runner_close(&r);
}

static void expect_nature(const conform_tested *tested, conform_case c, const char *nature)
{
    expect_nature_in(BENCH_ENOUGH, tested, c, nature);
}

TEST(what_always_fails_is_deterministic)
{
    expect_nature(&tested_zeros, bench_case(2, 3, 4),
                  "deterministic: 100 of 100 repeats fail, 16 of 16 fresh seeds");
    expect_nature(&tested_crashes, bench_case(3, 3, 4), "deterministic: 16 of 16");
}

/* tested_negative_only is wrong if a[0] is below zero. */
TEST(what_fails_on_some_inputs_is_data_dependent)
{
    conform_case c = bench_case(1, 3, 1);
    conform_runner r;
    conform_verdict v;
    ifn_error err = {0};
    bench_open(&r, &tested_negative_only, 0, 10);
    for (c.seed = 0; c.seed < 200; c.seed++) {
        assert_ok(conform_runner_try(&r, 0, &c, &v, &err), err);
        if (v.outcome == OUTCOME_FAIL)
            break;
    }
    conform_failure f = bench_failure(&r, &c);
    assert_ok(conform_describe(&r, &f, BENCH_ENOUGH, &err), err);
    assert_that(strncmp(f.nature, "data-dependent", 14) == 0, "%s", f.nature);
    conform_runner_close(&r);
}

TEST(what_fails_now_and_then_is_nondeterministic_and_stays_a_failure)
{
    expect_nature(&tested_sometimes, bench_case(2, 3, 4), "nondeterministic: ");
}

/* The case is run once, however long it takes, and the text states the number of runs. */
TEST(no_run_is_begun_when_time_is_up)
{
    expect_nature_in(0, &tested_zeros, bench_case(2, 3, 4),
                     "deterministic: 1 of 1 repeats fail, 1 of 1 fresh seeds; there was no time "
                     "for more");
}
