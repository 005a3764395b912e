#include "trace_record.h"

#include "fail_alloc.h"
#include "traced.h"

static trace_state *opened(int32_t n_lanes, size_t room)
{
    trace_state *s;
    ifn_error err = {0};
    assert_ok(ifn_trace_state_open(n_lanes, room, ifn_default_allocator(), &s, &err), err);
    return s;
}

TEST(totals_are_of_all_lanes)
{
    trace_state *const s = opened(3, 10);
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    add_event(s, IFN_OP_SILU, 0, 100, 110);
    add_event(s, IFN_OP_SILU, 2, 100, 104);
    add_event(s, IFN_OP_SILU, 2, 104, 119);
    add_event(s, IFN_OP_SCALE, 1, 0, 1000);
    ifn_trace_state_totals(s, IFN_OP_SILU, &t);
    assert_int_equal(t.calls, 3);
    assert_int_equal(t.total_ns, 29);
    assert_int_equal(t.min_ns, 4);
    assert_int_equal(t.max_ns, 15);
    assert_int_equal(t.p50_ns, 10);
    assert_int_equal(t.p99_ns, 15);
    ifn_trace_state_totals(s, IFN_OP_COUNT, &t);
    assert_int_equal(t.calls, 4);
    assert_int_equal(t.total_ns, 1029);
    ifn_trace_state_totals(s, IFN_OP_MATMUL, &t);
    assert_int_equal(t.calls, 0);
    assert_int_equal(t.p99_ns, 0);
    ifn_trace_state_close(s);
}

TEST(what_has_no_room_is_counted)
{
    trace_state *const s = opened(1, 2);
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    for (uint64_t i = 0; i < 5; i++)
        add_event(s, IFN_OP_SILU, 0, i, i + 1);
    assert_int_equal(s->lanes[0].n_events, 2);
    assert_int_equal(s->lanes[0].events[1].start_ns, 1);
    assert_int_equal(s->lanes[0].n_dropped, 3);
    ifn_trace_state_totals(s, IFN_OP_SILU, &t);
    assert_int_equal(t.calls, 5);
    ifn_trace_state_close(s);
}

TEST(a_lane_nobody_announced_is_not_recorded)
{
    trace_state *const s = opened(2, 2);
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    add_event(s, IFN_OP_SILU, 2, 0, 1);
    add_event(s, IFN_OP_SILU, -1, 0, 1);
    ifn_trace_state_totals(s, IFN_OP_COUNT, &t);
    assert_int_equal(t.calls, 0);
    ifn_trace_state_close(s);
}

TEST(spans_nest)
{
    trace_state *const s = opened(1, 3);
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    ifn_trace_state_begin(s, "outer");
    add_event(s, IFN_OP_SILU, 0, 1, 2);
    ifn_trace_state_begin(s, "inner");
    add_event(s, IFN_OP_SILU, 0, 2, 3);
    assert_string_equal(ifn_trace_state_end(s)->name, "inner");
    ifn_trace_state_begin(s, "inner");
    ifn_trace_state_begin(s, "dropped");
    ifn_trace_state_begin(s, "dropped");
    assert_null(ifn_trace_state_end(s));
    assert_null(ifn_trace_state_end(s));
    assert_string_equal(ifn_trace_state_end(s)->name, "inner");
    ifn_trace_state_begin(s, "dropped");
    assert_null(ifn_trace_state_end(s));
    add_event(s, IFN_OP_SILU, 0, 3, 4);
    assert_string_equal(ifn_trace_state_end(s)->name, "outer");
    assert_null(ifn_trace_state_end(s));
    assert_int_equal(s->n_spans_dropped, 3);
    assert_int_equal(s->lanes[0].events[0].span, 0);
    assert_int_equal(s->lanes[0].events[1].span, 1);
    assert_int_equal(s->lanes[0].events[2].span, 0);
    assert_int_equal(s->spans[2].parent, 0);
    ifn_trace_state_span_totals(s, "inner", &t);
    assert_int_equal(t.calls, 2);
    ifn_trace_state_span_totals(s, "nobody", &t);
    assert_int_equal(t.calls, 0);
    ifn_trace_state_close(s);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    for (long n = 0; n < 6; n++) {
        fail_alloc failing;
        trace_state *s;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_status status = ifn_trace_state_open(2, 4, &failing.allocator, &s, &err);
        assert_int_equal(status, n < 5 ? IFN_ERR_NOMEM : IFN_OK);
        assert_true(n >= 5 || strstr(err.text, "out of memory"));
        ifn_trace_state_close(s);
        assert_int_equal(failing.live_blocks, 0);
    }
    ifn_trace_state_close(NULL);
}
