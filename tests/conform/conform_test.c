/* The command as a whole, on the scalar backend. */
#include "conform.h"

#include <inferno/backend.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "paths.h"
#include "test.h"

TEST(a_conformant_backend_gives_zero_and_a_table)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "--backend", "scalar", "--op", "add", "--op", "matmul", "--cases", "50"), 0);
    assert_non_null(strstr(out, "\nmatmul "));
    assert_non_null(strstr(out, "\nadd "));
    assert_null(strstr(out, "\nsilu "));
    assert_non_null(strstr(out, ": conformant, of --op add --op matmul --cases 50 alone\n"));
    assert_non_null(
        strstr(out, "scalar: no level; Bronze: needs a run of everything, this is of "));
    free(out);
}

TEST(two_expressions_share_a_run)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "--backend=scalar", "--backend=scalar", "--op=add", "--cases=20", "--tap"),
        0);
    assert_non_null(strstr(out, "1..2\n"));
    free(out);
}

/* Each backend has a table, and both ran the same cases: their worst errors are equal. */
TEST(each_backend_has_a_table)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "--backend=scalar", "--backend=scalar", "--op=silu", "--cases=30", "--quiet"),
        0);
    const char *const first = strstr(out, "\nsilu "), *const second = strstr(first + 1, "\nsilu ");
    assert_non_null(second);
    assert_memory_equal(first + 1, second + 1, strcspn(second + 1, "\n"));
    free(out);
}

/* A report whose worst error was made smaller is the baseline of a second run, which fails. */
TEST(a_baseline_that_was_better_fails_the_run)
{
    char json[256], *out;
    snprintf(json, sizeof json, "%s", temp_path("then.json"));
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=silu", "--cases=60", "--json", json),
                     0);
    char *text = read_file(json, NULL), *ratio = strstr(text, "\"worst_ratio\": 0.");
    assert_non_null(ratio);
    memcpy(ratio + 15, "0.01", 4);
    write_file(json, text, strlen(text));
    free(text);
    assert_int_equal(
        COMMAND(&out, "--backend=scalar", "--op=silu", "--cases=60", "--baseline", json), 1);
    assert_non_null(strstr(out, "scalar: worst error of silu is 0."));
    free(out);
    temp_clean();
}

/* A baseline is read before the run, which writes its own report to the same file here. */
TEST(a_run_is_not_its_own_baseline)
{
    char json[256];
    snprintf(json, sizeof json, "%s", temp_path("new.json"));
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=silu", "--cases=20", "--for=1s",
                             "--json", json, "--baseline", json),
                     2);
    assert_int_not_equal(access(json, F_OK), 0);
    write_file(json, "[]", 2);
    assert_int_equal(COMMAND(NULL, "--backend=scalar", "--op=silu", "--cases=20", "--for=1s",
                             "--json", json, "--baseline", json),
                     1);
    temp_clean();
}

TEST(one_case_is_repeated_by_its_id)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--backend", "scalar", "--tap", "--case",
                             "matmul/F32/m=3,n=9,p=4/T1/normal/raw/0/1a2b"),
                     0);
    assert_non_null(strstr(out, "scalar matmul: 1 cases, 0 refused, 0 failed"));
    free(out);
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--case", "matmul/nonsense"), 2);
}

TEST(a_debugger_sees_everything_in_one_process)
{
    assert_int_equal(
        COMMAND(NULL, "--backend", "scalar", "--op", "linear", "--cases", "30", "--in-process"), 0);
}

TEST(a_filter_that_selects_nothing_is_wrong_usage)
{
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--shape", "nobody=3"), 2);
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--op", "add", "--dtype", "Q4_K"), 2);
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--op", "multiply"), 2);
    assert_int_equal(COMMAND(NULL, "--backend", "nobody"), 2);
    assert_int_equal(COMMAND(NULL, "--shape", "m=1000000,n=1000000,p=1000000", "--cases=2"), 2);
    assert_int_equal(COMMAND(NULL, "--case", "add/F32/n=-3/T1/normal/raw/0/1"), 2);
    assert_int_equal(COMMAND(NULL, "--case", "add/F32/n=99999999999/T1/normal/raw/0/1"), 2);
    assert_int_equal(COMMAND(NULL, "--case", "add/F32/n=9/GO/written/raw/0/99.1"), 2);
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--spec", "/nowhere"), 2);
}

TEST(shapes_select_the_ops_that_have_them)
{
    char *out;
    assert_int_equal(
        COMMAND(&out, "--backend=scalar", "--tap", "--shape", "m=3,n=17,p=5", "--cases=10"), 0);
    assert_non_null(strstr(out, "1..1\n"));
    assert_non_null(strstr(out, "scalar matmul: 10 cases"));
    free(out);
}

TEST(reports_are_written_and_serve_as_a_baseline)
{
    char json[256], junit[256];
    snprintf(json, sizeof json, "%s", temp_path("report.json"));
    snprintf(junit, sizeof junit, "%s", temp_path("report.xml"));
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--op", "add", "--cases", "20", "--json",
                             json, "--junit", junit),
                     0);
    char *text = read_file(junit, NULL);
    assert_non_null(strstr(text, "<testsuite name=\"conform/scalar\""));
    free(text);
    assert_int_equal(
        COMMAND(NULL, "--backend", "scalar", "--op", "add", "--cases", "20", "--baseline", json),
        0);
    assert_int_equal(
        COMMAND(NULL, "--backend", "scalar", "--op", "add", "--cases", "20", "--baseline", junit),
        1); /* malformed */
    temp_clean();
}

TEST(a_report_that_cannot_be_written_is_an_error)
{
    static const char *const formats[] = {"--json", "--html", "--junit", "--shrunk"};
    for (size_t i = 0; i < N_OF(formats); i++) {
        char *out;
        assert_int_equal(COMMAND(&out, "--backend", "scalar", "--op", "add", "--cases", "3",
                                 "--quiet", formats[i], "/nowhere/report"),
                         2);
        assert_string_equal(out, "");
        free(out);
    }
}

/* Standard output holds the report and nothing else. */
TEST(a_report_may_go_to_standard_output)
{
    static const struct {
        const char *format, *begins;
    } formats[] = {{"--json", "{\n"},
                   {"--html", "<!DOCTYPE html>\n"},
                   {"--junit", "<?xml version"},
                   {"--shrunk", "# The smallest failing cases of a run"}};
    for (size_t i = 0; i < N_OF(formats); i++) {
        char *out;
        assert_int_equal(COMMAND(&out, "--backend", "scalar", "--op", "add", "--cases", "3",
                                 "--quiet", formats[i].format, "-"),
                         0);
        assert_that(strncmp(out, formats[i].begins, strlen(formats[i].begins)) == 0, "%s: %.80s",
                    formats[i].format, out);
        assert_null(strstr(out, ": conformant\n"));
        free(out);
    }
}

TEST(without_a_backend_the_best_is_judged)
{
    char *out;
    ifn_backend *best;
    ifn_error err = {0};
    assert_int_equal(COMMAND(&out, "--op", "add", "--cases", "3", "--quiet", "--tap"), 0);
    assert_ok(ifn_backend_open(NULL, NULL, &best, &err), err);
    assert_non_null(strstr(out, ifn_backend_expression(best)));
    ifn_backend_close(best);
    free(out);
}

/* What a filter leaves out counts as missing, even if the user asked for the filter. */
TEST(a_run_of_one_dtype_says_what_it_did_not_reach)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--backend=scalar", "--op=linear", "--dtype=F32", "--quiet"), 0);
    assert_non_null(strstr(out, "scalar: reach of 1 of "));
    assert_non_null(strstr(out, " holes (--reach lists all)\n"));
    assert_null(strstr(out, "linear Q4_K: no case with k in [512, 1024)\n"));
    free(out);
    assert_int_equal(
        COMMAND(&out, "--backend=scalar", "--op=linear", "--dtype=F32", "--quiet", "--reach"), 0);
    assert_non_null(strstr(out, "  linear Q4_K: no case with k in [512, 1024)\n"));
    free(out);
}

TEST(usage_goes_to_standard_output_when_it_is_asked_for)
{
    char *out;
    assert_int_equal(COMMAND(&out, "--help"), 0);
    assert_non_null(strstr(out, "usage: inferno conform"));
    assert_non_null(strstr(out, "--baseline"));
    free(out);
}
