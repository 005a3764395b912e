#include "shrink.h"

#include "bench.h"
#include "case_id.h"
#include "counted_tries.h"
#include "test.h"
#include "written_case.h"

static conform_case shrink(const conform_tested *tested, conform_case c)
{
    conform_runner r;
    conform_case small;
    conform_verdict v;
    ifn_error err = {0};
    bench_open(&r, tested, 0, 10);
    const conform_failure f = bench_shrunk(&r, &c);
    assert_that(conform_case_parse(f.shrunk, &small, &err), "%s", err.text);
    assert_ok(conform_runner_try(&r, 0, &small, &v, &err), err);
    assert_int_equal(v.outcome, OUTCOME_FAIL);
    conform_runner_close(&r);
    conform_written_free(f.values);
    return small;
}

/* This backend fails from k = 9 on, but not at multiples of 4. */
TEST(a_tail_bug_at_4099_becomes_one_at_nine)
{
    n_tries = 0;
    const conform_case c = shrink(&tested_tail_4099, bench_case(7, 4099, 13));
    assert_int_equal(c.dim[1], 9);
    assert_int_equal(c.dim[0], 1);
    assert_int_equal(c.dim[2], 1);
    assert_int_equal(c.tier, TIER_T0);
    assert_in_range(n_tries, 1, 200); /* takes some tenths of a second */
}

/* The failure is then the case itself, and the report says nothing of other sizes. */
TEST(a_search_whose_time_is_over_tries_nothing)
{
    const conform_case c = bench_case(7, 4099, 13);
    conform_runner r;
    ifn_error err = {0};
    bench_open(&r, &tested_tail_4099, 0, 10);
    conform_failure f = bench_failure(&r, &c);
    assert_ok(conform_shrink(&r, &f, 0, &err), err);
    assert_string_equal(f.shrunk, f.id);
    assert_string_equal(f.when, "");
    assert_null(f.values);
    conform_runner_close(&r);
}

TEST(a_case_that_crashes_shrinks_too)
{
    const conform_case c = shrink(&tested_crashes, bench_case(3, 50, 60));
    assert_int_equal(c.dim[0], 3);
    assert_true(c.dim[1] <= 1 && c.dim[2] <= 1);
}

TEST(overlaps_and_handles_go_where_they_do_not_matter)
{
    conform_case c = bench_case(2, 3, 4);
    c.prepared = 1;
    c = shrink(&tested_zeros, c);
    assert_int_equal(c.prepared, 0);
    assert_int_equal(c.seed, 1);
}
