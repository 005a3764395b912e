#include "merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "paths.h"
#include "run_report.h"
#include "test.h"

static int run_shard(const char *shard, const char *json)
{
    return COMMAND(NULL, "--backend", "scalar", "--op", "add", "--cases", "60", "--shard", shard,
                   "--json", json);
}

static int64_t cases_in(const char *json)
{
    conform_report r;
    ifn_error err = {0};
    assert_ok(conform_report_read(json, &r, &err), err);
    const int64_t n = conform_report_cell(&r, IFN_OP_ADD, 0)->cases;
    conform_report_close(&r);
    return n;
}

TEST(shards_add_up_to_the_whole)
{
    char a[256], b[256], whole[256], sum[256];
    snprintf(a, sizeof a, "%s", temp_path("a.json"));
    snprintf(b, sizeof b, "%s", temp_path("b.json"));
    snprintf(whole, sizeof whole, "%s", temp_path("whole.json"));
    snprintf(sum, sizeof sum, "%s", temp_path("sum.json"));
    assert_int_equal(run_shard("0/2", a), 0);
    assert_int_equal(run_shard("1/2", b), 0);
    assert_int_equal(run_shard("0/1", whole), 0);
    assert_int_equal(COMMAND(NULL, "merge", a, b, "--json", sum), 0);
    assert_true(cases_in(a) > 0 && cases_in(b) > 0);
    assert_int_equal(cases_in(sum), cases_in(whole));
    assert_int_equal(COMMAND(NULL, "merge", sum), 0);
    assert_int_equal(COMMAND(NULL, "merge", sum, a), 1);
    temp_clean();
}

/* The merge fails if a CI job was lost, or was counted twice. */
TEST(every_shard_is_there_once)
{
    char a[256], other[256], *out;
    snprintf(a, sizeof a, "%s", temp_path("a.json"));
    snprintf(other, sizeof other, "%s", temp_path("other.json"));
    assert_int_equal(run_shard("0/2", a), 0);
    assert_int_equal(COMMAND(&out, "merge", a), 1);
    assert_non_null(strstr(out, "scalar: shard 1 of 2 is missing\n"));
    assert_non_null(strstr(out, ": NOT conformant, of --op add --cases 60 alone\n"));
    free(out);
    assert_int_equal(COMMAND(NULL, "merge", a, a), 1);
    assert_int_equal(COMMAND(NULL, "--backend", "scalar", "--op", "add", "--cases", "60", "--shard",
                             "1/2", "--seed", "2", "--json", other),
                     0);
    assert_int_equal(COMMAND(NULL, "merge", a, other), 1);
    temp_clean();
}

/* A merge writes the same forms of report as a run. */
TEST(every_form_of_report_is_merged)
{
    char a[256], junit[256], *out;
    snprintf(a, sizeof a, "%s", temp_path("a.json"));
    snprintf(junit, sizeof junit, "%s", temp_path("a.xml"));
    assert_int_equal(run_shard("0/1", a), 0);
    assert_int_equal(COMMAND(&out, "merge", a, "--junit", junit, "--tap"), 0);
    assert_int_equal(strncmp(out, "TAP version 13\n1..1\n# inferno ", 30), 0);
    assert_non_null(strstr(out, "ok 1 - scalar add: "));
    free(out);
    out = read_file(junit, NULL);
    assert_non_null(strstr(out, "<testsuite name=\"conform/scalar\""));
    assert_non_null(strstr(out, "<property name=\"filters\" value=\"--op add --cases 60\"/>"));
    free(out);
    assert_int_equal(COMMAND(NULL, "merge", a, "--junit", "/nowhere/x"), 2);
    assert_int_equal(COMMAND(NULL, "merge", a, "--junit", "-", "--tap"), 2);
    temp_clean();
}

/* Writes the report of a museum that was run by the same program as the report `beside`. */
static void write_museum(const char *path, const char *beside, const char *whole)
{
    conform_report r;
    ifn_error err = {0};
    assert_ok(conform_report_read(beside, &r, &err), err);
    FILE *const file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "{\"inferno\": \"museum/1\", \"killed\": 59, \"died\": 1, \"survived\": 0%s, ",
            whole);
    conform_origin_json(&r.origin, &(json_writer){.out = file});
    fputs("}\n", file);
    assert_int_equal(fclose(file), 0);
    conform_report_close(&r);
}

TEST(what_cannot_be_read_is_wrong_usage)
{
    assert_int_equal(COMMAND(NULL, "merge"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "/nowhere.json"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "--json", "x"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "a", "--colour"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "a", "--json", "-", "--html", "-"), 2);
}

TEST(what_is_no_report_is_malformed)
{
    char path[256];
    snprintf(path, sizeof path, "%s", temp_path("a.json"));
    write_file(path, "[]", 2);
    assert_int_equal(COMMAND(NULL, "merge", path), 1);
    temp_clean();
}

/* The HTML page of a merge, which includes the museum's result about the harness. */
TEST(pages_and_museums_are_merged)
{
    char a[256], b[256], *out;
    snprintf(a, sizeof a, "%s", temp_path("a.json"));
    snprintf(b, sizeof b, "%s", temp_path("b.json"));
    assert_int_equal(run_shard("0/1", a), 0);
    write_museum(b, a, "");
    assert_int_equal(COMMAND(NULL, "merge", a, b), 1);
    write_museum(b, a, ", \"whole\": true, \"shipped\": false");
    assert_int_equal(COMMAND(NULL, "merge", a, b), 1);
    write_museum(b, a, ", \"whole\": true, \"shipped\": true");
    assert_int_equal(COMMAND(&out, "merge", a, b, "--html", "-"), 0);
    assert_int_equal(strncmp(out, "<!DOCTYPE html>", 15), 0);
    free(out);
    assert_int_equal(COMMAND(&out, "merge", a, b, "--json", "-"), 0);
    assert_non_null(strstr(out, "\"museum\": {\"executed\": 60, \"failed\": 1}"));
    free(out);
    temp_clean();
}
