#include "report_html.h"

#include <math.h>
#include <string.h>

#include "bench.h"
#include "written.h"

static conform_report report_of(double ratio, int is_wrong)
{
    conform_report r;
    const conform_case c = bench_case(2, 3, 4);
    const conform_verdict v = {.outcome = is_wrong ? OUTCOME_FAIL : OUTCOME_PASS,
                               .check = is_wrong ? CHECK_VALUE : CHECK_NONE,
                               .n_compared = 8,
                               .ratio = ratio};
    conform_report_open(&r, 1);
    memcpy(r.label[0], "mine", 5);
    conform_report_add(&r, &c, 0, &v);
    return r;
}

static void expect_cell(double ratio, int is_wrong, const char *what)
{
    conform_report r = report_of(ratio, is_wrong);
    char *text = written(html_ops, &r);
    assert_that(strstr(strstr(text, "<tbody>"), what), "%s is missing in\n%s", what, text);
    free(text);
    conform_report_close(&r);
}

/* The colour of 3e7 differs from that of 1.01, and that of 0.001 from that of 0.9. */
TEST(colours_go_by_decades_of_error_over_bound)
{
    expect_cell(0, 0, "class=\"within\" style=\"--v:0.00\"");
    expect_cell(0.001, 0, "class=\"within\" style=\"--v:0.25\"");
    expect_cell(1, 0, "class=\"within\" style=\"--v:1.00\"");
    expect_cell(1.01, 1, "class=\"over\" style=\"--v:0.00\"");
    expect_cell(3e7, 1, "class=\"over deep\" style=\"--v:0.93\"");
    expect_cell((double)INFINITY, 1, "class=\"over deep\" style=\"--v:1.00\"");
}

/* A crash has no ratio, but must not look like a pass. */
TEST(what_failed_without_an_error_is_not_within)
{
    expect_cell(0, 1, "class=\"over deep\" style=\"--v:1.00\"");
}

TEST(a_cell_that_failed_leads_to_a_failure_and_counts)
{
    char link[HTML_ANCHOR_BYTES + 24], anchor[HTML_ANCHOR_BYTES];
    conform_report r = report_of(4, 1);
    html_anchor(&r, &r.failures[0], anchor);
    snprintf(link, sizeof link, "<a href=\"#%s\">4</a>", anchor);
    expect_cell(4, 1, link);
    expect_cell(4, 1, "<small>1 failed</small>");
    conform_report_close(&r);
}

TEST(an_anchor_is_of_backend_case_and_judgement)
{
    char one[HTML_ANCHOR_BYTES], other[HTML_ANCHOR_BYTES];
    conform_report r = report_of(4, 1), same = report_of(9, 1);
    html_anchor(&r, &r.failures[0], one);
    html_anchor(&same, &same.failures[0], other);
    assert_string_equal(one, other);
    memcpy(same.label[0], "nine", 5);
    html_anchor(&same, &same.failures[0], other);
    assert_string_not_equal(one, other);
    conform_report_close(&r);
    conform_report_close(&same);
}
