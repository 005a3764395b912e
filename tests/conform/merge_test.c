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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(shards_add_up_to_the_whole),
        RUN(what_cannot_be_read_is_wrong_usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
