#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "output_file.h"
#include "paths.h"
#include "written.h"

static void what_was_written_reads_back_as_the_same_report(void **state)
{
    (void)state;
    conform_report r = bench_report(), back;
    ifn_error err = {0};
    conform_report_problem(&r, "scalar: a problem");
    const char *path = temp_path("report.json");
    assert_ok(conform_write_file(path, conform_report_json, &r, &err), err);
    assert_ok(conform_report_read(path, &back, &err), err);
    char *first = written(conform_report_json, &r), *second = written(conform_report_json, &back);
    assert_string_equal(first, second);
    free(first);
    free(second);
    conform_report_close(&r);
    conform_report_close(&back);
    temp_clean();
}

static void expect_refused(const char *text, const char *why)
{
    conform_report r;
    ifn_error err = {0};
    const char *path = temp_path("bad.json");
    write_file(path, text, strlen(text));
    assert_int_equal(conform_report_read(path, &r, &err), IFN_ERR_FORMAT);
    assert_that(strstr(err.text, why), "'%s' does not say '%s'", err.text, why);
    temp_clean();
}

static void what_is_no_report_is_refused_with_a_reason(void **state)
{
    (void)state;
    expect_refused("{", "bad.json:");
    expect_refused("[1, 2]", "expected conform-report/1");
    expect_refused("{\"inferno\": \"conform-report/2\"}", "expected conform-report/1");
    expect_refused("{\"inferno\": \"conform-report/1\"}", "a list is missing");
    expect_refused("{\"inferno\": \"conform-report/1\", \"backends\": [], \"problems\": [], "
                   "\"cells\": [{\"op\": \"multiply\"}], \"failures\": []}",
                   "'multiply' is no op");
    expect_refused("{\"inferno\": \"conform-report/1\", \"backends\": [], \"problems\": [], "
                   "\"cells\": [{\"op\": \"add\", \"backend\": \"x\"}], \"failures\": []}",
                   "'x' is not among its backends");
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
    (void)state;
    conform_report r;
    ifn_error err = {0};
    assert_int_equal(conform_report_read(temp_path("nothing"), &r, &err), IFN_ERR_IO);
    temp_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(what_was_written_reads_back_as_the_same_report),
        RUN(what_is_no_report_is_refused_with_a_reason),
        RUN(a_file_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
