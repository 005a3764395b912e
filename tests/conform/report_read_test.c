#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "output_file.h"
#include "paths.h"
#include "written.h"

TEST(what_was_written_reads_back_as_the_same_report)
{
    conform_report r = bench_measurement(), back;
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

TEST(what_is_no_report_is_refused_with_a_reason)
{
    expect_refused("{", "bad.json:");
    expect_refused("[1, 2]", "expected conform-report/1");
    expect_refused("{\"inferno\": \"conform-report/2\"}", "expected conform-report/1");
    expect_refused("{\"inferno\": \"conform-report/1\"}",
                   "bad.json:1:1: no key 'backends', expected one");
    expect_refused("{\"inferno\": \"conform-report/1\", \"backends\": [], \"problems\": [], "
                   "\"cells\": [{\"op\": \"multiply\"}], \"failures\": []}",
                   "'multiply' is no op");
    expect_refused("{\"inferno\": \"conform-report/1\", \"backends\": [], \"problems\": [], "
                   "\"cells\": [{\"op\": \"add\", \"backend\": \"x\"}], \"failures\": []}",
                   "'x' is not among its backends");
}

/* Reads a report of two backends in which `list` replaces the list `key`. */
static void expect_refused_with(const char *key, const char *list, const char *why)
{
    static const char *const keys[] = {"problems", "cells", "failures", "whole_models"};
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "{\"inferno\": \"conform-report/1\", \"backends\": [{\"label\": \"a\"}, "
                     "{\"label\": \"b\"}]");
    for (size_t i = 0; i < N_OF(keys); i++)
        n += snprintf(text + n, sizeof text - (size_t)n, ", \"%s\": %s", keys[i],
                      strcmp(keys[i], key) == 0 ? list : "[]");
    snprintf(text + n, sizeof text - (size_t)n, "}");
    expect_refused(text, why);
}

TEST(an_item_that_makes_no_sense_is_named)
{
    expect_refused_with("problems", "2", "a single value, expected a list");
    expect_refused_with("cells", "{}", "a map, expected a list");
    expect_refused_with("whole_models", "2", "a single value, expected a list");
    expect_refused_with("failures", "[{op: add, backend: c}]", "'c' is not among its backends");
    expect_refused_with("failures", "[{backend: a}]", "'' is no op");
    expect_refused_with("whole_models", "[{backend: c}]", "'c' is not among its backends");
    expect_refused_with("whole_models", "[{backend: b, runs: 3}]",
                        "b: 0 runs of whole models, 0 failed, expected what its list adds up to, "
                        "3 and 0");
    expect_refused_with("cells", "[{op: add, backend: b, kinds: [{dtype: F33}]}]",
                        "'F33' is no dtype");
    expect_refused_with("cells",
                        "[{op: add, backend: b, cases: 1, kinds: [], headroom: [0, 1, 1]}]",
                        "headroom of 2, expected at most cases, 1");
    static const char *const ids[] = {"Q1", "R", "Rx", "R11", "R010", "R/"};
    for (size_t i = 0; i < N_OF(ids); i++) {
        char list[128], why[64];
        snprintf(list, sizeof list, "[{op: add, backend: b, kinds: [], invariances: [{id: %s}]}]",
                 ids[i]);
        snprintf(why, sizeof why, "'%s' is none of R0 .. R10", ids[i]);
        expect_refused_with("cells", list, why);
    }
}

/* Reads a cell that has this pair, written as in a flow mapping of YAML. */
static void expect_value_refused(const char *pair, const char *why)
{
    char list[256];
    snprintf(list, sizeof list, "[\n\n{op: add, backend: b, %s, kinds: []}]", pair);
    expect_refused_with("cells", list, why);
}

TEST(what_is_no_number_is_refused)
{
    expect_value_refused("failed: m", "bad.json:3:31: 'm', expected an integer");
    expect_value_refused("cases: 1.5", "'1.5', expected an integer");
    expect_value_refused("cases: -1", "-1, expected 0 to 1000000000000000");
    expect_value_refused("cases: 1000000000000001", "1000000000000001, expected 0 to");
    expect_value_refused("cases: 99999999999999999999",
                         "'99999999999999999999', expected an integer");
    expect_value_refused("cases: ''", "empty, expected text");
    expect_value_refused("cases: [1]", "a list, expected text");
    expect_value_refused("faults: {value: x}", "'x', expected an integer");
    expect_value_refused("invariances: [{id: R1, held: x}]", "'x', expected an integer");
    expect_value_refused("worst_ratio: 1x2", "'1x2', expected a number");
    expect_value_refused("worst_ratio: '3'", "'3', expected a number");
    expect_value_refused("inherited: yes", "'yes', expected true or false");
    expect_value_refused("by: [scalar]", "a list or a map, expected text");
    expect_value_refused("failed: 0, failed: 1", "key 'failed' a second time");
    expect_refused_with("failures", "[{op: add, backend: b, index: -2}]",
                        "-2, expected -1 to 1000000000000000");
    expect_refused("{inferno: museum/1, killed: all}", "'all', expected an integer");
    expect_refused("{inferno: conform-report/1, seed: 1x}",
                   "'1x', expected up to 16 hexadecimal digits");
}

/* Partial counts must not exceed their total, and must add up to it. */
TEST(counts_that_do_not_fit_are_refused)
{
    static const struct {
        const char *cell, *why;
    } rows[] = {
        {"failed: 0", "bad.json:3:1: 0 cases, expected one at least"},
        {"cases: 5, passed: 2, failed: 2", "5 cases, expected passed, refused and failed, 4"},
        {"failed: 2", "0 cases, expected passed, refused and failed, 2"},
        {"invariances: [{id: R1, tried: 1, held: 2}]", "held 2, expected at most tried, 1"},
        {"invariances: [{id: R1, demanded: 9}]", "demanded 9, expected at most tried, 0"},
    };
    for (size_t i = 0; i < N_OF(rows); i++)
        expect_value_refused(rows[i].cell, rows[i].why);
    static const struct {
        const char *kind, *why;
    } kinds[] = {
        {"refused: 1, undeclared: 2", "undeclared 2, expected at most refused, 1"},
        {"t2_cases: 1", "t2_cases 1, expected at most executed, 0"},
        {"executed: 1, bias: {n: 2}", "n of bias 2, expected at most executed, 1"},
        {"executed: 1, outward: {n: 2}", "n of outward 2, expected at most executed, 1"},
    };
    for (size_t i = 0; i < N_OF(kinds); i++) {
        char list[160];
        snprintf(list, sizeof list, "[{op: add, backend: b, kinds: [{dtype: F32, %s}]}]",
                 kinds[i].kind);
        expect_refused_with("cells", list, kinds[i].why);
    }
    expect_refused_with("whole_models", "[{backend: b, failed: 1}]",
                        "failed 1, expected at most runs, 0");
    expect_refused_with("whole_models", "[{backend: b, held: 1}]",
                        "held 1, expected at most tried, 0");
    expect_refused_with(
        "cells",
        "[{op: add, backend: b, cases: 1, passed: 1, kinds: [{dtype: F32, executed: 1}]}, "
        "{op: add, backend: b, cases: 1, passed: 1, kinds: []}]",
        "a second cell of add on this backend, expected one");
    expect_refused_with("cells",
                        "[{op: add, backend: b, cases: 1, passed: 1, kinds: [{dtype: F32, "
                        "executed: 1, failed: 1}]}]",
                        "1 cases, 0 failed, expected what its kinds add up to, 1 and 1");
    expect_refused("{inferno: conform-report/1, museum: {failed: 1}}",
                   "failed 1, expected at most executed, 0");
}

/* The reader refuses a count of whole-model runs without rows that add up to it, with or without a list. */
TEST(runs_of_whole_models_without_rows_are_refused)
{
    expect_refused("{inferno: conform-report/1, problems: [], cells: [], failures: [], "
                   "backends: [{label: a, end_to_end: {executed: 3, failed: 0}}]}",
                   "a: 3 runs of whole models, 0 failed, expected what its list adds up to, "
                   "0 and 0");
}

TEST(more_backends_than_a_report_holds_are_refused)
{
    char text[1024] = "{inferno: conform-report/1, backends: [{}";
    size_t n = strlen(text);
    for (int i = 0; i < CONFORM_MAX_TESTED; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, ", {}");
    snprintf(text + n, sizeof text - n, "]}");
    expect_refused(text, "of a list, expected at most ");
    expect_refused("", "nothing in it, expected YAML");
}

TEST(a_file_that_is_not_there_is_an_error)
{
    conform_report r;
    ifn_error err = {0};
    assert_int_equal(conform_report_read(temp_path("nothing"), &r, &err), IFN_ERR_IO);
    temp_clean();
}
