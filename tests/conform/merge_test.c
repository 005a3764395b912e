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

static void shards_add_up_to_the_whole(void **state)
{
    (void)state;
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
    temp_clean();
}

static void what_cannot_be_read_is_wrong_usage(void **state)
{
    (void)state;
    assert_int_equal(COMMAND(NULL, "merge"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "/nowhere.json"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "--json", "x"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "a", "--colour"), 2);
    assert_int_equal(COMMAND(NULL, "merge", "a", "--json", "-", "--html", "-"), 2);
}

static void what_is_no_report_is_malformed(void **state)
{
    (void)state;
    char path[256];
    snprintf(path, sizeof path, "%s", temp_path("a.json"));
    write_file(path, "[]", 2);
    assert_int_equal(COMMAND(NULL, "merge", path), 1);
    temp_clean();
}

/* A page of the sum, and what a museum says about the harness beside it. */
static void pages_and_museums_are_merged(void **state)
{
    (void)state;
    static const char museum[] =
        "{\"inferno\": \"museum/1\", \"killed\": 59, \"died\": 1, \"survived\": 0}";
    char a[256], b[256], *out;
    snprintf(a, sizeof a, "%s", temp_path("a.json"));
    snprintf(b, sizeof b, "%s", temp_path("b.json"));
    write_file(b, museum, sizeof museum - 1);
    assert_int_equal(run_shard("0/1", a), 0);
    assert_int_equal(COMMAND(&out, "merge", a, b, "--html", "-"), 0);
    assert_int_equal(strncmp(out, "<!DOCTYPE html>", 15), 0);
    free(out);
    assert_int_equal(COMMAND(&out, "merge", a, b, "--json", "-"), 0);
    assert_non_null(strstr(out, "\"museum\": {\"executed\": 60, \"failed\": 1}"));
    free(out);
    temp_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shards_add_up_to_the_whole),
        RUN(what_cannot_be_read_is_wrong_usage),
        RUN(what_is_no_report_is_malformed),
        RUN(pages_and_museums_are_merged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
