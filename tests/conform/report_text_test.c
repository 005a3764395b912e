#include <string.h>

#include "bench.h"
#include "written.h"

static void write_plain(const conform_report *r, FILE *out)
{
    conform_report_text(r, 0, out);
}

static void write_coloured(const conform_report *r, FILE *out)
{
    conform_report_text(r, 1, out);
}

TEST(a_failure_says_what_where_by_how_much_and_how_to_repeat_it)
{
    conform_report r = bench_report();
    memcpy(r.failures[0].nature, "deterministic: 100 of 100", 26);
    memcpy(r.failures[0].shrunk, "smaller", 8);
    memcpy(r.failures[0].when, "only Q4_K; for n >= 3", 22);
    char *text = written(write_plain, &r);
    static const char *const parts[] = {
        "matmul F32 on ./mine.so: value\n  what:     value: out[0,3]",
        "got  1.5 (0x1.8p+0, 0x3fc00000)",
        "want 1.25 (0x1.4p+0, 0x3fa00000)",
        "bound 0.125",
        "error/bound 2",
        "2097152 ulp",
        "deterministic: 100 of 100",
        "  when:     only Q4_K\n            for n >= 3\n",
        "  again:    inferno conform --backend ./mine.so --case smaller --in-process\n",
        "  found:    matmul/F32/m=2,n=3,p=4/T2/normal/raw/0/1234\n",
        "./mine.so refuses 1 of 2 cases of matmul (1 not declared): F32 1\n",
        "4 cases, 1 failed",
        "NOT conformant",
    };
    for (size_t i = 0; i < N_OF(parts); i++)
        assert_that(strstr(text, parts[i]), "%s is missing in\n%s", parts[i], text);
    assert_null(strchr(text, '\033'));
    free(text);
    text = written(write_coloured, &r);
    assert_non_null(strchr(text, '\033'));
    free(text);
    conform_report_close(&r);
}

TEST(what_is_not_checked_is_said)
{
    conform_report r = bench_report();
    r.registers_checked = 0;
    char *text = written(write_plain, &r);
    assert_non_null(strstr(text, "registers were not checked"));
    free(text);
    conform_report_close(&r);
}
