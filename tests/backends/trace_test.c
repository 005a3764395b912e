#include "traced.h"

#include "fail_alloc.h"
#include "legal_calls.h"
#include "seeing.h"

TEST(both_spellings_open_it)
{
    ifn_backend *chain = open_chain("trace:scalar");
    assert_string_equal(ifn_backend_expression(chain), "trace:scalar");
    ifn_backend_close(chain);
    chain = open_chain("tracing:scalar");
    assert_string_equal(ifn_backend_expression(chain), "trace:scalar");
    for (int op = 0; op < IFN_OP_COUNT; op++)
        assert_true(ifn_backend_implements(chain, (ifn_op)op));
    ifn_backend_close(chain);
}

TEST(the_option_is_how_many_calls_are_kept)
{
    static const struct {
        const char *expression;
        size_t room;
    } good[] = {{"trace:scalar", 65536}, {"trace=3:scalar", 3}, {"trace=0:scalar", 0}};
    static const char *const bad[] = {"trace=x:scalar", "trace=-1:scalar", "trace=16777217:scalar",
                                      "trace=99999999999999999999999:scalar", "trace=3 4:scalar"};
    for (size_t i = 0; i < N_OF(good); i++) {
        ifn_backend *const chain = open_chain(good[i].expression);
        assert_int_equal(trace_state_of(chain)->room, good[i].room);
        ifn_backend_close(chain);
    }
    for (size_t i = 0; i < N_OF(bad); i++) {
        ifn_backend *chain;
        ifn_error err = {0};
        assert_int_equal(ifn_backend_open(bad[i], NULL, &chain, &err), IFN_ERR_ARGUMENT);
        assert_non_null(strstr(err.text, "expected how many calls each lane keeps, 0 .. 16777216"));
    }
}

/* For every op: the inner backend gets the same arguments, and its status comes back. */
TEST(every_op_is_handed_on_as_it_came_and_counted_once)
{
    ifn_backend *leaf, *chain;
    ifn_error err = {0};
    ifn_trace_total t = IFN_TRACE_TOTAL_INIT;
    assert_ok(ifn_backend_open_desc(&seeing, NULL, NULL, NULL, &leaf, &err), err);
    assert_ok(ifn_backend_open_desc(&ifn_backend_trace, leaf, NULL, NULL, &chain, &err), err);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_args args = legal_call((ifn_op)op);
        const int fails = op % 2 == 0;
        seeing_status = fails ? IFN_ERR_IO : IFN_OK;
        assert_int_equal(ifn_op_run(chain, (ifn_op)op, &args.call), seeing_status);
        assert_ptr_equal(seen_args, &args);
        assert_int_equal(seen_op, op);
        assert_true(ifn_trace_totals(chain, (ifn_op)op, &t));
        assert_int_equal(t.calls, 1);
        assert_int_equal(t.failed, fails);
        assert_true(fails ? t.moved_bytes == 0 : t.moved_bytes > 0);
    }
    ifn_backend_close(chain);
    ifn_backend_close(leaf);
}

TEST(recording_allocates_nothing)
{
    fail_alloc memory;
    fail_alloc_init(&memory, -1);
    const ifn_backend_options options =
        IFN_SIZED(ifn_backend_options, .alloc = &memory.allocator, .n_contexts = 3);
    ifn_backend *chain;
    ifn_error err = {0};
    assert_ok(ifn_backend_open("trace=10:scalar", &options, &chain, &err), err);
    const long before = memory.n_calls;
    memory.fail_at = before;
    memory.fail_from = 1;
    for (int i = 0; i < 100; i++) {
        ifn_trace_begin(chain, "span");
        assert_int_equal(call_add(chain, i % 4), IFN_OK); /* lane 3 was not announced */
        ifn_trace_end(chain);
    }
    assert_int_equal(memory.n_calls, before);
    assert_int_equal(ifn_trace_dropped(chain), 90 + 75 - 30);
    ifn_backend_close(chain);
    assert_int_equal(memory.live_blocks, 0);
}

TEST(what_does_not_open_leaks_nothing)
{
    ifn_status status = IFN_ERR_NOMEM;
    for (long n = 0; status != IFN_OK; n++) {
        fail_alloc failing;
        ifn_backend *chain;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_backend_options options =
            IFN_SIZED(ifn_backend_options, .alloc = &failing.allocator);
        status = ifn_backend_open("trace:scalar", &options, &chain, &err);
        assert_true(status == IFN_OK || status == IFN_ERR_NOMEM);
        ifn_backend_close(chain);
        assert_int_equal(failing.live_blocks, 0);
        assert_true(n < 20);
    }
}
