#include "shrink.h"

#include <string.h>

#include "bench.h"
#include "test.h"
#include "written_case.h"

static conform_failure shrink(const conform_tested *tested, const conform_case *c)
{
    conform_runner r;
    bench_open(&r, tested, 0, 10);
    const conform_failure f = bench_shrunk(&r, c);
    conform_runner_close(&r);
    return f;
}

static void expect_values(const spec_entry *entry, const char *name, const double *want, int64_t n)
{
    const spec_values *v = spec_find_values(entry, name);
    assert_non_null(v);
    assert_int_equal(v->n, n);
    for (int64_t i = 0; i < n; i++)
        assert_that(v->values[i] == want[i], "%s[%d] is %g, expected %g", name, (int)i,
                    v->values[i], want[i]);
}

/* The last of nine terms is dropped: one product of ones suffices to show it. */
TEST(what_does_not_matter_becomes_zero_and_the_rest_one)
{
    static const double last[9] = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    const conform_case c = bench_case(7, 4099, 13);
    conform_failure f = shrink(&tested_tail_4099, &c);
    assert_string_equal(f.written, "matmul/F32/m=1,n=9,p=1/GO/written/raw/0/1.1/at=0,cut=0x0");
    assert_non_null(f.values);
    expect_values(f.values, "a", last, 9);
    expect_values(f.values, "b", last, 9);
    conform_written_free(f.values);
}

TEST(signs_stay_where_they_are_the_point)
{
    static const double minus_one = -1, one = 1;
    conform_case c = bench_case(2, 3, 4);
    for (conform_verdict v = {.outcome = OUTCOME_PASS};
         v.outcome != OUTCOME_FAIL || v.check != CHECK_VALUE; c.seed++)
        v = judge_once(&tested_negative_only, &c);
    c.seed--;
    conform_failure f = shrink(&tested_negative_only, &c);
    assert_non_null(f.values);
    expect_values(f.values, "a", &minus_one, 1);
    expect_values(f.values, "b", &one, 1);
    conform_written_free(f.values);
}

/* A smaller case may fail by a sharper statistical bound as well as by the proven one, but a failure by another
 * check is another failure. */
TEST(a_case_shrinks_to_one_that_fails_in_the_same_way)
{
    const conform_case c = bench_case(3, 50, 60);
    conform_failure f = shrink(&tested_crashes, &c);
    assert_int_equal(f.verdict.check, CHECK_CRASH);
    assert_non_null(f.values);
    assert_non_null(strstr(f.written, "matmul/F32/m=3,n=0,p=0/GO/"));
    conform_written_free(f.values);
}
