#include "report_repeat.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "output_file.h"
#include "paths.h"
#include "test.h"
#include "written.h"

static void write_line(const conform_report *r, FILE *out)
{
    conform_put_repeat(r, &r->failures[0], out);
}

static void expect_line(const conform_report *r, const char *want)
{
    char *text = written(write_line, r);
    assert_string_equal(text, want);
    free(text);
}

TEST(the_smallest_case_is_repeated_with_the_options_it_had)
{
    conform_report r = bench_measurement();
    expect_line(&r, "inferno conform --backend ./mine.so --case "
                    "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process");
    memcpy(r.label[1], "./my backend.so=a", 18);
    memcpy(r.how, " --patience 30", 15);
    memcpy(r.failures[0].shrunk, "smaller", 8);
    expect_line(&r, "inferno conform --backend './my backend.so=a' --case smaller --patience 30 "
                    "--in-process");
    conform_report_close(&r);
}

TEST(what_ends_a_process_is_repeated_in_a_worker_and_a_race_until_it_shows)
{
    conform_report r = bench_measurement();
    memcpy(r.failures[0].id, "id", 3);
    memcpy(r.failures[0].check, "crash", 6);
    expect_line(&r, "inferno conform --backend ./mine.so --case id");
    memcpy(r.failures[0].check, "threads", 8);
    memcpy(r.failures[0].nature, "nondeterministic: 3", 20);
    expect_line(&r, "inferno conform --backend ./mine.so --case id --repeat until --in-process");
    conform_report_close(&r);
}

/* Reading a report back, or merging shards, keeps what the run said of itself: values, options and all. */
TEST(a_report_that_was_read_back_has_the_command_it_had)
{
    conform_report r = bench_measurement(), back, merged;
    ifn_error err = {0};
    const char *path = temp_path("report.json");
    memcpy(r.how, " --patience 30", 15);
    assert_ok(conform_write_file(path, conform_report_json, &r, &err), err);
    assert_ok(conform_report_read(path, &back, &err), err);
    conform_report_open(&merged, 0);
    assert_true(conform_report_merge(&merged, &back));
    conform_report_close(&back);
    expect_line(&merged, "inferno conform --backend ./mine.so --case "
                         "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --patience 30 --in-process");
    conform_report_close(&merged);
    conform_report_close(&r);
    temp_clean();
}
