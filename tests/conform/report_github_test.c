#include <string.h>

#include "bench.h"
#include "written.h"

TEST(a_failure_is_an_annotation_on_one_line)
{
    conform_report r = bench_measurement();
    memcpy(r.binary[1].file, "./a:b,c.so", 11);
    memcpy(r.failures[0].verdict.detail, "50% wrong, so", 14);
    conform_report_problem(&r, "a problem");
    char *text = written(conform_report_github, &r);
    assert_string_equal(
        text,
        "::error file=./a%3Ab%2Cc.so,title=matmul on ./mine.so%3A value::50%25 wrong, so%0A"
        "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234%0A"
        "out[3]: got 1.5 (0x1.8p+0, 0x3fc00000), want 1.25 (0x1.4p+0, 0x3fa00000), bound 0.125, "
        "error/bound 2, 2097152 ulp%0A"
        "again: inferno conform --backend ./mine.so --case "
        "matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234 --in-process\n"
        "::error title=inferno conform::a problem\n"
        "::notice title=inferno conform::4 cases, 1 failed: NOT conformant: scalar, ./mine.so\n");
    free(text);
    conform_report_close(&r);
}

/* The name of a backend without a plugin is no file, so the annotation names the spec. */
TEST(without_a_plugin_the_spec_is_named)
{
    conform_report r = bench_measurement();
    char *text = written(conform_report_github, &r);
    assert_non_null(strstr(text, "::error file=spec/ops/matmul.yaml,title="));
    free(text);
    conform_report_close(&r);
}

TEST(one_judgement_of_an_op_is_one_annotation_unless_all_are_asked_for)
{
    conform_report r = bench_measurement();
    const conform_failure again = r.failures[0];
    conform_report_keep(&r, &again);
    char *text = written(conform_report_github, &r);
    assert_null(strstr(strstr(text, "::error") + 1, "::error"));
    free(text);
    r.shows_all = 1;
    text = written(conform_report_github, &r);
    assert_non_null(strstr(strstr(text, "::error") + 1, "::error"));
    free(text);
    conform_report_close(&r);
}
