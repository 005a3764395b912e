#include "trace_out.h"

#include "traced.h"

TEST(long_text_arrives_whole)
{
    static written w;
    trace_out out = {.sink = keep_text, .cookie = &w};
    char expected[20001];
    for (int i = 0; i < 20000; i++) {
        const char c[] = {(char)('a' + i % 26), '\0'};
        expected[i] = *c;
        ifn_trace_out_text(&out, c);
    }
    expected[20000] = '\0';
    assert_int_equal(ifn_trace_out_finish(&out), IFN_OK);
    assert_string_equal(w.text, expected);
}

TEST(strings_are_escaped)
{
    static written w;
    trace_out out = {.sink = keep_text, .cookie = &w};
    ifn_trace_out_json(&out, "a\"b\\c\n\xc3\xa9");
    ifn_trace_out_print(&out, " %d ", 7);
    ifn_trace_out_frame(&out, "a b;c\nd\xc3\xa9");
    assert_int_equal(ifn_trace_out_finish(&out), IFN_OK);
    assert_string_equal(w.text, "\"a\\\"b\\\\c\\u000a\\ufffd\\ufffd\" 7 a_b_c_d\xc3\xa9");
}

static int n_refused;

static ifn_status refuse_once(void *cookie, const char *data, size_t bytes)
{
    n_refused++;
    return refuse_text(cookie, data, bytes);
}

TEST(after_a_failure_nothing_is_written)
{
    trace_out out = {.sink = refuse_once};
    for (int i = 0; i < 2000; i++)
        ifn_trace_out_text(&out, "0123456789");
    assert_int_equal(ifn_trace_out_finish(&out), IFN_ERR_IO);
    assert_int_equal(n_refused, 1);
}
