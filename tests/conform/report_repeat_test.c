#include "report_repeat.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
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

static void the_smallest_case_is_repeated_with_the_options_it_had(void **state)
{
    (void)state;
    conform_report r = bench_report();
    expect_line(&r, "inferno conform --backend ./mine.so --case "
                    "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process");
    memcpy(r.label[1], "./my backend.so=a", 18);
    memcpy(r.how, " --patience 30", 15);
    memcpy(r.failures[0].shrunk, "smaller", 8);
    expect_line(&r, "inferno conform --backend './my backend.so=a' --case smaller --patience 30 "
                    "--in-process");
    conform_report_close(&r);
}

static void what_ends_a_process_is_repeated_in_a_worker_and_a_race_until_it_shows(void **state)
{
    (void)state;
    conform_report r = bench_report();
    memcpy(r.failures[0].id, "id", 3);
    memcpy(r.failures[0].fault, "crash", 6);
    expect_line(&r, "inferno conform --backend ./mine.so --case id");
    memcpy(r.failures[0].fault, "threads", 8);
    memcpy(r.failures[0].nature, "nondeterministic: 3", 20);
    expect_line(&r, "inferno conform --backend ./mine.so --case id --repeat until --in-process");
    conform_report_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(the_smallest_case_is_repeated_with_the_options_it_had),
        RUN(what_ends_a_process_is_repeated_in_a_worker_and_a_race_until_it_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
