#include "shrink.h"

#include <string.h>

#include "bench.h"
#include "test.h"
#include "written_case.h"

static void expect_when(const conform_tested *tested, conform_case c, const char *when)
{
    conform_runner r;
    bench_open(&r, tested, 0, 10);
    const conform_failure f = bench_shrunk(&r, &c);
    assert_that(strcmp(f.when, when) == 0, "%s: '%s', expected '%s'", tested->label, f.when, when);
    conform_runner_close(&r);
    conform_written_free(f.values);
}

TEST(thresholds_are_said)
{
    expect_when(&tested_from_31, bench_case(3, 511, 5),
                "fails for every n >= 31 tried (up to 1567), passes for every n <= 30");
    expect_when(&tested_two_sizes, bench_case(60, 64, 61),
                "fails for every m >= 17 tried (up to 1553), passes for every m <= 16; "
                "fails for every p >= 9 tried (up to 1545), passes for every p <= 8");
}

TEST(an_end_is_said)
{
    expect_when(&tested_small_only, bench_case(3, 12, 5),
                "fails for every n <= 12 tried, passes for every n >= 13");
}

TEST(remainders_are_said)
{
    expect_when(&tested_odd_halves, bench_case(3, 480, 5),
                "fails where n % 64 = 32, passes elsewhere");
    expect_when(&tested_tail_4099, bench_case(7, 4099, 13), "fails unless n % 4 = 0 from n = 9 on");
}

TEST(what_always_fails_needs_no_words)
{
    expect_when(&tested_drops_last, bench_case(3, 12, 5), "");
}
