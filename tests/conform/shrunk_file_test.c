#include "shrunk_file.h"

#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "paths.h"
#include "test.h"

static spec_op *const no_specs[IFN_OP_COUNT];

static void every_shrunk_case_is_an_entry_under_its_op(void **state)
{
    (void)state;
    conform_report r = bench_report();
    ifn_error err = {0};
    const char *path = temp_path("shrunk.yaml");
    memcpy(r.failures[0].shrunk, "matmul/F32/m=1,n=2,p=1/T0/lattice/raw/0/1", 42);
    assert_ok(conform_write_shrunk(path, &r, no_specs, &err), err);
    char *text = read_file(path, NULL);
    assert_non_null(strstr(text, "matmul:\n  - name: value on ./mine.so\n    m: 1\n    n: 2\n"));
    assert_non_null(strstr(text, "    out: [["));
    free(text);
    conform_report_close(&r);
    temp_clean();
}

static void failures_without_a_smallest_case_are_left_out(void **state)
{
    (void)state;
    conform_report r = bench_report();
    ifn_error err = {0};
    const char *path = temp_path("shrunk.yaml");
    assert_ok(conform_write_shrunk(path, &r, no_specs, &err), err);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "");
    free(text);
    assert_int_equal(conform_write_shrunk("/nowhere/x", &r, no_specs, &err), IFN_ERR_IO);
    conform_report_close(&r);
    temp_clean();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(every_shrunk_case_is_an_entry_under_its_op),
        RUN(failures_without_a_smallest_case_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
