#include "shrink.h"
#include "shrink_run.h"

#include "bench.h"
#include "case_id.h"
#include "counted_tries.h"
#include "test.h"
#include "written_case.h"

static void expect_smallest(const conform_tested *tested, conform_case c, int64_t m, int64_t n,
                            int64_t p)
{
    conform_runner r;
    conform_case small;
    ifn_error err = {0};
    bench_open(&r, tested, 0, 10);
    n_tries = 0;
    const conform_failure f = bench_shrunk(&r, &c);
    assert_that(conform_case_parse(f.shrunk, &small, &err), "%s", err.text);
    assert_that(small.dim[0] == m && small.dim[1] == n && small.dim[2] == p,
                "%s: found %s, expected m=%d,n=%d,p=%d", tested->label, f.shrunk, (int)m, (int)n,
                (int)p);
    assert_in_range(n_tries, 1, 300);
    conform_runner_close(&r);
    conform_written_free(f.values);
}

TEST(a_threshold_is_found_to_the_last_one)
{
    expect_smallest(&tested_from_31, bench_case(3, 511, 5), 1, 31, 1);
    expect_smallest(&tested_from_31, bench_case(3, 4096, 5), 1, 31, 1);
}

/* Neither halving nor a single step down leads from this case to the smallest one. */
TEST(a_remainder_is_kept_on_the_way_down)
{
    expect_smallest(&tested_odd_halves, bench_case(3, 4096 + 32, 5), 1, 32, 1);
    expect_smallest(&tested_odd_halves, bench_case(3, 480, 5), 1, 32, 1);
}

TEST(each_of_two_sizes_has_its_own_threshold)
{
    expect_smallest(&tested_two_sizes, bench_case(60, 64, 61), 17, 1, 9);
    expect_smallest(&tested_two_sizes, bench_case(2048, 33, 64), 17, 1, 9);
}

TEST(sizes_below_are_in_order_and_each_once)
{
    shrink_sizes s;
    for (int64_t top = 0; top < 5000; top += top < 70 ? 1 : 137) {
        shrink_sizes_below(top, &s);
        assert_true(s.n < SHRINK_SIZES && (s.n > 0) == (top > 0));
        for (int i = 0; i < s.n; i++)
            assert_true(s.at[i] < top && (i == 0 || s.at[i] > s.at[i - 1]));
    }
}
