#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "written.h"

static char *text_of(const report_diff *d, void (*put)(const report_diff *self, FILE *out))
{
    char *text = NULL;
    size_t bytes;
    FILE *const to = open_memstream(&text, &bytes);
    assert_non_null(to);
    put(d, to);
    fclose(to);
    return text;
}

static void expect_said(const char *text, const char *part)
{
    assert_that(strstr(text, part), "'%s' is missing in\n%s", part, text);
}

TEST(a_report_is_the_same_as_itself)
{
    conform_report r = bench_measurement();
    report_diff d;
    diff_open(&d, &r, &r);
    assert_int_equal(d.n, 2);
    assert_int_equal(d.n_worse + d.n_better + d.n_other, 0);
    assert_false(diff_is_worse(&d));
    diff_close(&d);
    conform_report_close(&r);
}

TEST(what_is_new_and_worse_is_said)
{
    conform_report a = bench_measurement(), b = bench_measurement();
    const conform_case c = bench_case(5, 6, 7);
    const conform_verdict bad = {.outcome = OUTCOME_FAIL, .check = CHECK_GAP, .detail = "<gap>"};
    report_diff d;
    conform_report_add(&b, &c, 0, &bad);
    conform_report_problem(&b, "a < b");
    diff_open(&d, &a, &b);
    assert_true(diff_is_worse(&d));
    char *text = text_of(&d, diff_text);
    expect_said(text, "worse   matmul on scalar, cases 2 -> 3, failed 0 -> 1\n");
    expect_said(text, "new failure of scalar: gap: matmul/F32/m=5,n=6,p=7/T2/normal/raw/0/1234\n");
    expect_said(text, "new problem: a < b\n");
    expect_said(text, "2 ops on backends: 1 worse, 0 better, 0 otherwise different: B is worse\n");
    free(text);
    text = text_of(&d, diff_html);
    expect_said(text, "<span class=\"bad\">B is worse</span>");
    expect_said(text, "a &lt; b");
    expect_said(text, "<span class=\"chip bad\">worse</span>");
    free(text);
    diff_close(&d);
    diff_open(&d, &b, &a);
    assert_false(diff_is_worse(&d));
    assert_int_equal(d.n_better, 1);
    text = text_of(&d, diff_text);
    expect_said(text, "gone failure of scalar: gap: ");
    expect_said(text, "gone problem: a < b\n");
    free(text);
    diff_close(&d);
    conform_report_close(&a);
    conform_report_close(&b);
}

static diff_change change(double before, double after)
{
    conform_report a = bench_measurement(), b = bench_measurement();
    report_diff d;
    conform_report_cell(&a, IFN_OP_MATMUL, 0)->ratio = before;
    conform_report_cell(&b, IFN_OP_MATMUL, 0)->ratio = after;
    diff_open(&d, &a, &b);
    const diff_change found = d.cells[0].change;
    diff_close(&d);
    conform_report_close(&a);
    conform_report_close(&b);
    return found;
}

TEST(a_worst_error_that_has_doubled_is_worse)
{
    assert_int_equal(change(0.25, 0.4), DIFF_SAME);
    assert_int_equal(change(0.25, 0.6), DIFF_WORSE);
    assert_int_equal(change(0.6, 0.25), DIFF_BETTER);
    assert_int_equal(change(0.9, 1.1), DIFF_WORSE);
}

static conform_cell *matmul_of(conform_report *r)
{
    return conform_report_cell(r, IFN_OP_MATMUL, 0);
}

TEST(fewer_cases_or_other_failures_are_worse)
{
    conform_report a = bench_measurement(), b = bench_measurement();
    report_diff d;
    matmul_of(&a)->cases = 300;
    matmul_of(&b)->cases = 140;
    diff_open(&d, &a, &b);
    assert_int_equal(d.cells[0].change, DIFF_WORSE);
    diff_close(&d);
    matmul_of(&b)->cases = 290;
    diff_open(&d, &a, &b);
    assert_int_equal(d.cells[0].change, DIFF_OTHER);
    diff_close(&d);
    matmul_of(&a)->checks[CHECK_GAP] = matmul_of(&b)->checks[CHECK_VALUE] = 1;
    diff_open(&d, &a, &b);
    assert_int_equal(d.cells[0].change, DIFF_WORSE);
    diff_close(&d);
    conform_report_close(&a);
    conform_report_close(&b);
}

TEST(backends_come_and_go)
{
    conform_report a = bench_measurement(), b = bench_measurement();
    report_diff d;
    memcpy(b.label[1], "./other.so", 11);
    diff_open(&d, &a, &b);
    char *text = text_of(&d, diff_text);
    expect_said(text, "./other.so: new, no level\n");
    expect_said(text, "./mine.so: gone\n");
    assert_int_equal(d.n, 3);
    assert_int_equal(d.n_worse, 2); /* what failed is new, what was tried is gone */
    free(text);
    diff_close(&d);
    conform_report_close(&a);
    conform_report_close(&b);
}
