#include "traced.h"

static written out;

static const char *summary(const ifn_backend *chain, const ifn_trace_ceilings *ceilings)
{
    ifn_error err = {0};
    out.bytes = 0;
    assert_ok(ifn_trace_write_summary(chain, ceilings, keep_text, &out, &err), err);
    return out.text;
}

/* Two ops: 1 us for 4096 bytes and 300 flops, and 3 us. The test sets the times. */
static ifn_backend *two_ops(void)
{
    ifn_backend *const chain = open_chain("trace:scalar");
    trace_state *const s = trace_state_of(chain);
    add_event(s, IFN_OP_SILU, 0, 0, 1000);
    add_event(s, IFN_OP_SCALE, 0, 1000, 2000);
    add_event(s, IFN_OP_SCALE, 0, 2000, 4000);
    s->lanes[0].counts[IFN_OP_SILU].bytes = 4096;
    s->lanes[0].counts[IFN_OP_SILU].flops = 300;
    return chain;
}

TEST(the_largest_total_comes_first)
{
    ifn_backend *const chain = two_ops();
    assert_string_equal(
        summary(chain, NULL),
        "op                        calls    total ms   share     mean us      p50 us      p99 us  "
        "    GB/s   GFLOP/s\n"
        "scale                         2       0.003   75.0%         1.5         1.0         2.0  "
        "    0.00      0.00\n"
        "silu                          1       0.001   25.0%         1.0         1.0         1.0  "
        "    4.10      0.30\n"
        "all ops                       3       0.004  100.0%         1.3         1.0         2.0  "
        "    1.02      0.07\n");
    ifn_backend_close(chain);
}

TEST(rates_are_compared_with_what_was_measured)
{
    ifn_backend *const chain = two_ops();
    const char *text =
        summary(chain, &IFN_SIZED(ifn_trace_ceilings, .bytes_per_s = 8.192e9, .flops_per_s = 1e9));
    assert_non_null(strstr(text, "      4.10   50%      0.30   30%\n"));
    assert_non_null(strstr(text, "of m: of the measured read bandwidth, 8.2 GB/s\n"));
    assert_non_null(strstr(text, "of m: of the measured arithmetic peak, 1.0 GFLOP/s\n"));
    text = summary(chain, &IFN_SIZED(ifn_trace_ceilings, .bytes_per_s = 8.192e9));
    assert_non_null(strstr(text, "      4.10   50%      0.30\n"));
    assert_null(strstr(text, "peak"));
    ifn_backend_close(chain);
}

TEST(spans_failures_and_dropped_calls_are_told)
{
    ifn_backend *const chain = open_chain("trace=2:scalar");
    for (int i = 0; i < 2; i++) {
        ifn_trace_begin(chain, "decode");
        call_add(chain, 0);
        ifn_trace_end(chain);
    }
    call_argmax_of_nothing(chain);
    const char *text = summary(chain, NULL);
    assert_non_null(strstr(text, "\ndecode                        2 "));
    assert_null(strstr(strstr(text, "\ndecode") + 1, "\ndecode"));
    assert_non_null(strstr(text, "  1 failed\n"));
    assert_non_null(strstr(text, "1 calls are counted here, but were not kept one by one\n"));
    ifn_backend_close(chain);
}

TEST(what_cannot_be_written_is_an_error)
{
    ifn_error err = {0};
    ifn_backend *chain = open_chain("scalar");
    assert_int_equal(ifn_trace_write_summary(chain, NULL, refuse_text, NULL, &err),
                     IFN_ERR_ARGUMENT);
    ifn_backend_close(chain);
    chain = open_chain("trace:scalar");
    assert_int_equal(ifn_trace_write_summary(chain, NULL, refuse_text, NULL, &err), IFN_ERR_IO);
    ifn_backend_close(chain);
}
