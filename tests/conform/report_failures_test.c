#include "report_failures.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "test.h"
#include "written.h"

static void add_failures(conform_report *r, ifn_dtype dtype, int n)
{
    const conform_verdict bad = {.outcome = OUTCOME_FAIL,
                                 .check = CHECK_VALUE,
                                 .worst = {.worst = -1},
                                 .detail = "out[0,0]: one row: 3 of 4 wrong"};
    conform_case c = {.op = IFN_OP_LINEAR, .dtype = dtype, .dim = {1, 2, 32, 1}, .seed = 1};
    for (int i = 0; i < n; i++) {
        c.seed++;
        conform_report_add(r, &c, 0, &bad);
    }
}

static int count_of(const char *text, const char *part)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, part)); p++)
        n++;
    return n;
}

static void expect_said(const char *text, const char *part)
{
    assert_that(strstr(text, part), "'%s' is missing in\n%s", part, text);
}

/* Failures in several dtypes are one cause: three are shown, the others are named, and every case is counted. */
TEST(failures_of_one_cause_are_one_entry)
{
    conform_report r = bench_measurement();
    static const ifn_dtype dtypes[] = {IFN_DTYPE_F32, IFN_DTYPE_F16, IFN_DTYPE_Q8_0, IFN_DTYPE_Q4_0,
                                       IFN_DTYPE_Q5_1};
    for (int i = 0; i < (int)N_OF(dtypes); i++)
        add_failures(&r, dtypes[i], 20 + i);
    char *text = written(conform_report_failures, &r);
    expect_said(text, "linear F32 on scalar: value, 20 cases\n");
    expect_said(text, "linear Q8_0 on scalar: value, 22 cases\n");
    expect_said(text, "linear on scalar: value as well, one each by --all:\n  Q4_0 23 Q5_1 24\n");
    expect_said(text, "matmul F32 on ./mine.so: value\n");
    assert_int_equal(count_of(text, "  again:    "), 4);
    free(text);
    r.shows_all = 1;
    text = written(conform_report_failures, &r);
    assert_int_equal(count_of(text, "  again:    "), r.n_failures);
    assert_int_equal(r.n_failures, 1 + REPORT_KEPT + 4);
    free(text);
    conform_report_close(&r);
}

/* The smallest case represents its cause, and other symptoms are named. */
TEST(the_entry_is_the_one_with_a_smallest_case)
{
    conform_report r = bench_measurement();
    add_failures(&r, IFN_DTYPE_F32, 2);
    conform_failure *const second = &r.failures[r.n_failures - 1];
    memcpy(second->shrunk, "small", 6);
    memcpy(second->verdict.detail, "out[0,0]: all: 4 of 4 wrong", 28);
    char *text = written(conform_report_failures, &r);
    expect_said(text, "linear F32 on scalar: value, 2 cases\n  others:   one row\n"
                      "  what:     value: out[0,0]: all: 4 of 4 wrong\n");
    expect_said(text, "  smallest: small\n");
    free(text);
    conform_report_close(&r);
}
