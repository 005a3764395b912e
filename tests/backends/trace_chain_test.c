#include "traced.h"

static ifn_trace_call heard[16];
static int n_heard;

static void hear(void *cookie, const ifn_trace_call *call)
{
    assert_ptr_equal(cookie, heard);
    assert_true(n_heard < (int)N_OF(heard));
    heard[n_heard++] = *call;
}

/* A wrapper that hands everything on, so that two `trace` may stand in one chain. */
static void fill_nothing(ifn_op_table *table, const ifn_backend_env *env)
{
    (void)table, (void)env;
}

static const ifn_backend_desc plain_desc = {IFN_BACKEND_STAMP, .flags = IFN_BACKEND_WRAPPER,
                                            .name = "plain", .summary = "nothing",
                                            .fill = fill_nothing};

typedef struct stack {
    ifn_backend *inner, *plain, *outer;
} stack;

/* trace:plain:trace:scalar */
static stack open_stack(void)
{
    stack s = {.inner = open_chain("trace:scalar")};
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(&plain_desc, s.inner, NULL, NULL, &s.plain, &err), err);
    assert_ok(ifn_backend_open_desc(&ifn_backend_trace, s.plain, NULL, NULL, &s.outer, &err), err);
    return s;
}

static void close_stack(stack *s)
{
    ifn_backend_close(s->outer);
    ifn_backend_close(s->plain);
    ifn_backend_close(s->inner);
}

TEST(listeners_hear_calls_and_spans_inside_out)
{
    stack s = open_stack();
    n_heard = 0;
    assert_int_equal(ifn_trace_listen(s.outer, hear, heard), 2);
    ifn_trace_begin(s.outer, "forward");
    call_add(s.outer, 0);
    ifn_trace_end(s.outer);
    assert_int_equal(n_heard, 3);
    static const struct {
        const char *name, *inner;
        int depth;
    } expected[] = {{"add", "scalar", 3}, {"add", "plain", 2}, {"forward", "plain", 1}};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(heard[i].name, expected[i].name);
        assert_string_equal(heard[i].inner->desc->name, expected[i].inner);
        assert_int_equal(heard[i].depth, expected[i].depth);
        assert_int_equal(heard[i].status, IFN_OK);
        assert_true(heard[i].start_ns <= heard[i].end_ns);
    }
    assert_true(heard[1].start_ns <= heard[0].start_ns && heard[0].end_ns <= heard[1].end_ns);
    assert_int_equal(ifn_trace_listen(s.outer, NULL, NULL), 2);
    call_add(s.outer, 0);
    assert_int_equal(n_heard, 3);
    close_stack(&s);
}

TEST(totals_are_those_of_the_outermost)
{
    stack s = open_stack();
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    call_add(s.inner, 0);
    call_add(s.outer, 0);
    ifn_trace_begin(s.outer, "forward");
    ifn_trace_end(s.outer);
    assert_int_equal(ifn_trace_totals(s.outer, IFN_OP_ADD, &t), 1);
    assert_int_equal(t.calls, 1);
    assert_int_equal(t.moved_bytes, 36);
    assert_int_equal(t.flops, 3);
    assert_int_equal(ifn_trace_totals(s.plain, IFN_OP_ADD, &t), 1);
    assert_int_equal(t.calls, 2);
    assert_int_equal(ifn_trace_span_totals(s.outer, "forward", &t), 1);
    assert_int_equal(t.calls, 1);
    assert_int_equal(ifn_trace_dropped(s.outer), 0);
    close_stack(&s);
}

TEST(a_chain_without_trace_records_nothing)
{
    ifn_backend *const chain = open_chain("scalar");
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    assert_int_equal(ifn_trace_listen(chain, hear, heard), 0);
    ifn_trace_begin(chain, "forward");
    ifn_trace_end(chain);
    assert_int_equal(ifn_trace_totals(chain, IFN_OP_ADD, &t), 0);
    assert_int_equal(ifn_trace_span_totals(chain, "forward", &t), 0);
    assert_int_equal(ifn_trace_dropped(chain), 0);
    ifn_backend_close(chain);
}
