#include "check_state.h"

#include <math.h>
#include <string.h>

#include "legal_calls.h"
#include "seeing.h"
#include "test.h"

static ifn_backend *open_chain(const char *expression)
{
    ifn_backend *chain;
    ifn_error err = {0};
    assert_ok(ifn_backend_open(expression, NULL, &chain, &err), err);
    return chain;
}

TEST(the_option_is_stop_or_nothing)
{
    ifn_backend *chain;
    ifn_error err = {0};
    ifn_backend_close(open_chain("check:scalar"));
    ifn_backend_close(open_chain("check=stop:scalar"));
    assert_int_equal(ifn_backend_open("check=x:scalar", NULL, &chain, &err), IFN_ERR_ARGUMENT);
    assert_string_equal(err.text, "backend 'check': option 'x', expected stop");
}

/* For every op: a legal call reaches the inner backend with the same arguments, and its status comes back. An illegal
 * one does not reach it. */
TEST(legal_calls_are_handed_on_as_they_came)
{
    ifn_backend *leaf, *chain;
    ifn_error err = {0};
    assert_ok(ifn_backend_open_desc(&seeing, NULL, NULL, NULL, &leaf, &err), err);
    assert_ok(ifn_backend_open_desc(&ifn_backend_check, leaf, NULL, NULL, &chain, &err), err);
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        ifn_args args = legal_call((ifn_op)op);
        for (int fails = 0; fails < 2; fails++) {
            seeing_status = fails ? IFN_ERR_IO : IFN_OK;
            assert_int_equal(ifn_op_run(chain, (ifn_op)op, &args.call), seeing_status);
            assert_ptr_equal(seen_args, &args);
            assert_int_equal(seen_op, op);
            assert_int_equal(ifn_backend_explain(chain, &err), 0);
        }
        seeing_status = IFN_OK;
        seen_args = NULL;
        args.call.bytes = 1;
        assert_int_equal(ifn_op_run(chain, (ifn_op)op, &args.call), IFN_ERR_SHAPE);
        assert_null(seen_args);
        assert_int_equal(ifn_backend_explain(chain, &err), 1);
        assert_non_null(strstr(err.text, ": call.bytes 1, expected "));
        assert_ptr_equal(strstr(err.text, ifn_op_name((ifn_op)op)), err.text);
    }
    ifn_backend_close(chain);
    ifn_backend_close(leaf);
}

/* 1 / sqrt(0) */
static ifn_status make_infinity(ifn_backend *chain, float *out)
{
    static const float zeros[2] = {1.0f, 0.0f};
    const ifn_rsqrt_elem_args a = IFN_ARGS(rsqrt_elem, .out = out, .x = zeros, .n = 2);
    return ifn_rsqrt_elem(chain, &a);
}

TEST(results_are_those_of_the_inner_backend_unless_told_to_stop)
{
    static const char *const expressions[] = {"check:scalar", "check=stop:scalar"};
    for (int stops = 0; stops < 2; stops++) {
        ifn_backend *const chain = open_chain(expressions[stops]);
        float out[2];
        ifn_error err = {0};
        assert_int_equal(ifn_check_finding(chain, &err), 0);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(make_infinity(chain, out), stops ? IFN_ERR_NUMERIC : IFN_OK);
            assert_true(out[0] == 1.0f && isinf(out[1]));
            assert_int_equal(ifn_backend_explain(chain, &err), stops);
        }
        assert_int_equal(ifn_check_finding(chain, &err), 1);
        assert_int_equal(err.status, IFN_ERR_NUMERIC);
        assert_string_equal(err.text, "rsqrt_elem on scalar: out is inf at row 0, element 1; what "
                                      "it read is finite; call 1");
        ifn_backend_close(chain);
    }
}

TEST(the_earliest_of_several_is_found)
{
    ifn_backend *const chain = open_chain("check:trace:check:scalar");
    float out[2];
    ifn_error err = {0};
    assert_int_equal(make_infinity(chain, out), IFN_OK);
    assert_int_equal(ifn_check_finding(chain, &err), 1);
    assert_non_null(strstr(err.text, "rsqrt_elem on scalar")); /* the inner one saw it first */
    ifn_backend_close(chain);
    ifn_backend *const none = open_chain("trace:scalar");
    assert_int_equal(make_infinity(none, out), IFN_OK);
    assert_int_equal(ifn_check_finding(none, &err), 0);
    ifn_backend_close(none);
}
