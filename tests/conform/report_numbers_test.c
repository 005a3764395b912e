#include "report_numbers.h"

#include <stdlib.h>

#include "bench.h"
#include "test.h"
#include "written.h"

static void write_numbers(const conform_report *r, FILE *out)
{
    conform_put_numbers(&r->failures[0].verdict, &conform_numbers_in_line, out);
}

static void expect_numbers(const conform_report *r, const char *want)
{
    char *text = written(write_numbers, r);
    assert_string_equal(text, want);
    free(text);
}

TEST(got_want_and_bound_are_said_in_decimal_and_in_bits)
{
    conform_report r = bench_measurement();
    expect_numbers(&r, "out[3]: got 1.5 (0x1.8p+0, 0x3fc00000), want 1.25 (0x1.4p+0, 0x3fa00000), "
                       "bound 0.125, error/bound 2, 2097152 ulp");
    r.failures[0].verdict.is_raw = 1;
    r.failures[0].verdict.worst.got = 0x7f;
    r.failures[0].verdict.worst.want = 0x80;
    expect_numbers(&r, "out, byte 3: got 0x7f, want 0x80");
    conform_report_close(&r);
}

/* A crash has no element, and neither has a failure by value that was not measured. */
TEST(what_failed_by_no_element_has_no_numbers)
{
    conform_verdict v = {.check = CHECK_VALUE, .worst = {.worst = 0}};
    assert_true(conform_has_numbers(&v));
    v.worst.worst = -1;
    assert_false(conform_has_numbers(&v));
    assert_true(conform_is_by_value(&v));
    v.worst.worst = 0;
    v.check = CHECK_CRASH;
    assert_false(conform_has_numbers(&v));
    assert_false(conform_is_by_value(&v));
}
