#include "shrink_run.h"

#include <string.h>

#include "bench.h"
#include "shrink.h"
#include "test.h"
#include "written_case.h"

/* Shrinks a failing case, and expects `setting` (addresses and cuts) at the end of the smallest one's id. */
static void expect_setting(const conform_tested *tested, conform_case c, const char *setting)
{
    conform_runner r;
    for (conform_verdict v = {.outcome = OUTCOME_PASS}; v.outcome != OUTCOME_FAIL;) {
        c.seed++;
        v = judge_once(tested, &c);
    }
    bench_open(&r, tested, 0, 10);
    const conform_failure f = bench_shrunk(&r, &c);
    const char *end = strrchr(f.shrunk, '/');
    assert_that(end && strcmp(end, setting) == 0, "%s: %s, expected %s", tested->label, f.shrunk,
                setting);
    conform_runner_close(&r);
    conform_written_free(f.values);
}

TEST(what_does_not_matter_is_aligned_and_whole)
{
    expect_setting(&tested_zeros, bench_case(5, 6, 7), "/at=0,cut=0x0");
}

TEST(addresses_that_matter_are_named)
{
    expect_setting(&tested_address_dependent, bench_case(5, 60, 7), "/at=4,cut=0x0");
}

TEST(one_cut_is_left_of_many)
{
    conform_case c = bench_case(40, 60, 1);
    c.tier = TIER_T1;
    expect_setting(&tested_part_dependent, c, "/at=0,cut=1x0");
    expect_setting(&tested_ignores_parts, c, "/at=0,cut=1x0");
}
