#include <stdlib.h>

#include "fail_alloc.h"
#include "traced.h"

static written out;

static const char *folded(const ifn_backend *chain)
{
    ifn_error err = {0};
    out.bytes = 0;
    out.text[0] = '\0';
    assert_ok(ifn_trace_write_folded(chain, keep_text, &out, &err), err);
    return out.text;
}

static void set_span(trace_state *s, size_t i, uint64_t start, uint64_t end)
{
    s->spans[i].start_ns = start;
    s->spans[i].end_ns = end;
}

/* Two spans of one name, each with a span inside; the test sets the times. */
TEST(stacks_of_the_same_frames_add_up)
{
    ifn_backend *const chain = open_chain("trace:scalar");
    trace_state *const s = trace_state_of(chain);
    for (int i = 0; i < 2; i++) {
        ifn_trace_begin(chain, "de code");
        add_event(s, IFN_OP_SILU, 0, 10, 20);
        ifn_trace_begin(chain, "inner");
        add_event(s, IFN_OP_SCALE, 0, 20, 23);
        ifn_trace_end(chain);
        add_event(s, IFN_OP_SILU, 0, 30, 31);
        ifn_trace_end(chain);
    }
    add_event(s, IFN_OP_RSQRT_ELEM, 0, 40, 45);
    for (size_t i = 0; i < 4; i += 2) {
        set_span(s, i, 0, 100);
        set_span(s, i + 1, 20, 25);
    }
    assert_string_equal(folded(chain), "rsqrt_elem 5\n"
                                       "de_code;silu 22\n"
                                       "de_code 168\n" /* 100 - 5 - 11, twice */
                                       "de_code;inner;scale 6\n"
                                       "de_code;inner 4\n");
    ifn_backend_close(chain);
}

/* The work of other lanes runs at the same time as the caller's spans, so it is not subtracted from these. */
TEST(work_of_other_lanes_is_added_and_not_taken_from_spans)
{
    ifn_backend *chain;
    ifn_error err = {0};
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .n_contexts = 2);
    assert_ok(ifn_backend_open("trace:scalar", &options, &chain, &err), err);
    trace_state *const s = trace_state_of(chain);
    ifn_trace_begin(chain, "decode");
    add_event(s, IFN_OP_SILU, 0, 0, 60);
    add_event(s, IFN_OP_SILU, 1, 0, 70);
    ifn_trace_end(chain);
    set_span(s, 0, 0, 100);
    assert_string_equal(folded(chain), "decode;silu 130\ndecode 40\n");
    ifn_backend_close(chain);
}

TEST(weights_are_frames)
{
    ifn_backend *const chain = open_chain("trace:scalar");
    call_linear(chain, "blk.1.attn q.weight");
    call_linear(chain, "blk.0.weight.scale");
    call_linear(chain, "a_name_that_is_longer_than_its_room.weight");
    const char *text = folded(chain);
    assert_non_null(strstr(text, "linear;blk.1.attn_q "));
    assert_non_null(strstr(text, "linear;blk.0.weight.scale "));
    assert_non_null(strstr(text, "linear;a_name_that_is_longer_t "));
    ifn_backend_close(chain);
}

TEST(what_cannot_be_written_is_an_error)
{
    ifn_error err = {0};
    ifn_backend *chain = open_chain("scalar");
    assert_int_equal(ifn_trace_write_folded(chain, refuse_text, NULL, &err), IFN_ERR_ARGUMENT);
    ifn_backend_close(chain);
    fail_alloc failing;
    fail_alloc_init(&failing, -1);
    const ifn_backend_options options = IFN_SIZED(ifn_backend_options, .alloc = &failing.allocator);
    assert_ok(ifn_backend_open("trace:scalar", &options, &chain, &err), err);
    call_add(chain, 0);
    assert_int_equal(ifn_trace_write_folded(chain, refuse_text, NULL, &err), IFN_ERR_IO);
    for (int n = 0; n < 4; n++) {
        failing.fail_at = failing.n_calls + n;
        assert_int_equal(ifn_trace_write_folded(chain, refuse_text, NULL, &err), IFN_ERR_NOMEM);
        assert_non_null(strstr(err.text, "out of memory"));
    }
    ifn_backend_close(chain);
    assert_int_equal(failing.live_blocks, 0);
}
