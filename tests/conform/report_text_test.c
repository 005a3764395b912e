#include <string.h>

#include "bench.h"
#include "written.h"

static void write_plain(const conform_report *r, FILE *out)
{
    conform_report_text(r, 0, out);
}

static void write_wrapped(const conform_report *r, FILE *out)
{
    conform_report_terminal(r, 0, out);
}

static void write_coloured(const conform_report *r, FILE *out)
{
    conform_report_text(r, 1, out);
}

TEST(a_failure_says_what_where_by_how_much_and_how_to_repeat_it)
{
    conform_report r = bench_measurement();
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

static void expect_columns(const char *text)
{
    while (*text) {
        const size_t n = strcspn(text, "\n");
        const int is_whole = strncmp(text, "  again:", 8) == 0 || strncmp(text, "  found:", 8) == 0;
        assert_that(n <= 80 || is_whole, "%.*s: %zu columns", (int)n, text, n);
        text += n + (text[n] == '\n');
    }
}

static conform_cell *inherit(conform_report *r, ifn_op op)
{
    conform_cell *const c = conform_report_cell(r, op, 1);
    *c = (conform_cell){.cases = 10, .passed = 10, .is_inherited = 1, .ratio = 0.5, .by = "scalar"};
    return c;
}

TEST(what_is_inherited_is_one_line)
{
    conform_report r = bench_measurement();
    inherit(&r, IFN_OP_ADD);
    inherit(&r, IFN_OP_SILU)->ratio = 0.75;
    char *text = written(write_wrapped, &r);
    assert_non_null(strstr(text, "\n2 ops inherited from scalar: 20 cases, 0 failed, worst 0.75 "
                                 "(--all: each)\n"));
    assert_null(strstr(text, "\nadd "));
    expect_columns(text);
    free(text);
    inherit(&r, IFN_OP_ADD)->failed = 1;
    text = written(write_plain, &r);
    assert_non_null(strstr(text, "\nadd "));
    free(text);
    r.shows_all = 1;
    text = written(write_plain, &r);
    assert_non_null(strstr(text, "\nsilu "));
    free(text);
    conform_report_close(&r);
}

TEST(the_table_says_what_its_words_mean)
{
    conform_report r = bench_measurement();
    conform_report_problem(&r, "a problem of so many words that one line of eighty columns is not "
                               "enough for all of them");
    char *text = written(write_wrapped, &r);
    assert_non_null(strstr(text, "worst: largest error/bound"));
    assert_non_null(strstr(text, "blunt: cases whose bound"));
    expect_columns(text);
    free(text);
    conform_report_cell(&r, IFN_OP_MATMUL, 1)->blunt = 0;
    text = written(write_plain, &r);
    assert_null(strstr(text, "blunt: cases whose bound"));
    free(text);
    conform_report_close(&r);
}

TEST(what_is_not_checked_is_said)
{
    conform_report r = bench_measurement();
    char *text = written(write_plain, &r);
    assert_null(strstr(text, "registers were not checked"));
    assert_null(strstr(text, "memory was not guarded"));
    assert_null(strstr(text, "device"));
    free(text);
    r.binary[1].is_device = 1;
    r.registers_checked = 0;
    r.is_unguarded = 1;
    text = written(write_plain, &r);
    assert_non_null(strstr(text, "registers were not checked"));
    assert_non_null(strstr(text, "memory was not guarded"));
    assert_non_null(
        strstr(text, " is a device: its tensors lay in its own memory, between bands "));
    free(text);
    conform_report_close(&r);
}
