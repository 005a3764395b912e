#include "check_state.h"

#include <math.h>
#include <string.h>

#include "fail_alloc.h"
#include "op_part.h"
#include "test.h"

static float x[6], y[6], out[6];

static check_state *opened(int32_t n_lanes, int stops)
{
    check_state *s;
    ifn_error err = {0};
    assert_ok(ifn_check_state_open(n_lanes, stops, ifn_default_allocator(), &s, &err), err);
    for (int i = 0; i < 6; i++)
        x[i] = y[i] = out[i] = 1.0f;
    return s;
}

/* Reports a call of add to the state; the test has filled its result, `out`. */
static ifn_status after_add(check_state *s, int32_t lane, ifn_range part)
{
    ifn_add_args a = IFN_ARGS(add, .part_begin = part.begin, .part_end = part.end, .out = out,
                              .x = x, .y = y, .n = 6);
    a.call.lane = lane;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_ADD, &a.call), IFN_OK);
    return ifn_check_state_after(s, "leaf", NULL, IFN_OP_ADD, &a.call);
}

static const ifn_range all = {0, 0};

TEST(illegal_arguments_do_not_reach_the_op)
{
    check_state *const s = opened(1, 0);
    ifn_error err;
    const ifn_add_args bad = IFN_ARGS(add, .out = out, .x = x, .y = y, .n = -1);
    assert_int_equal(ifn_check_state_explain(s, &err), 0);
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_ADD, &bad.call), IFN_ERR_SHAPE);
    assert_int_equal(ifn_check_state_explain(s, &err), 1);
    assert_string_equal(err.text, "add: n -1, expected 0 or more");
    assert_int_equal(ifn_check_state_explain(s, &err), 0); /* explained once already */
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_ADD, &bad.call), IFN_ERR_SHAPE);
    assert_int_equal(after_add(s, 0, all), IFN_OK);
    assert_int_equal(ifn_check_state_explain(s, &err), 0); /* the next call succeeded */
    ifn_check_state_close(s);
}

TEST(a_lane_nobody_announced_is_refused)
{
    check_state *const s = opened(2, 0);
    ifn_add_args a = IFN_ARGS(add, .out = out, .x = x, .y = y, .n = 6);
    a.call.lane = 2;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_ADD, &a.call), IFN_ERR_ARGUMENT);
    a.call.lane = -1;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_ADD, &a.call), IFN_ERR_ARGUMENT);
    ifn_check_state_close(s);
}

TEST(the_first_finding_is_kept)
{
    check_state *const s = opened(1, 0);
    ifn_error err;
    uint64_t when;
    assert_int_equal(ifn_check_state_finding(s, &err, &when), 0);
    assert_int_equal(after_add(s, 0, all), IFN_OK);
    out[4] = -INFINITY;
    assert_int_equal(after_add(s, 0, all), IFN_OK);
    out[0] = NAN;
    assert_int_equal(after_add(s, 0, all), IFN_OK);
    assert_int_equal(ifn_check_state_finding(s, &err, &when), 1);
    assert_int_equal(err.status, IFN_ERR_NUMERIC);
    assert_string_equal(
        err.text, "add on leaf: out is inf at row 0, element 4; what it read is finite; call 2");
    ifn_check_state_close(s);
}

TEST(an_input_that_held_it_already_is_named)
{
    check_state *const s = opened(1, 1);
    ifn_error err;
    y[2] = NAN;
    out[2] = NAN;
    assert_int_equal(after_add(s, 0, all), IFN_ERR_NUMERIC);
    assert_int_equal(ifn_check_state_explain(s, &err), 1);
    assert_string_equal(err.text, "add on leaf: out is nan at row 0, element 2; y is nan at row 0, "
                                  "element 2 already; call 1");
    ifn_check_state_close(s);
}

/* In place the input is overwritten, so that nobody knows whether it had a NaN. */
TEST(of_an_input_that_is_the_output_nothing_is_said)
{
    check_state *const s = opened(1, 1);
    const ifn_silu_args a = IFN_ARGS(silu, .out = x, .x = x, .n = 6);
    ifn_error err;
    x[1] = NAN;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_SILU, &a.call), IFN_OK);
    assert_int_equal(ifn_check_state_after(s, "leaf", NULL, IFN_OP_SILU, &a.call), IFN_ERR_NUMERIC);
    assert_int_equal(ifn_check_state_explain(s, &err), 1);
    assert_string_equal(err.text, "silu on leaf: out is nan at row 0, element 1; call 1");
    ifn_check_state_close(s);
}

TEST(weights_are_remembered)
{
    check_state *const s = opened(1, 1);
    const ifn_tensor w = {"blk.0.attn_q.weight", y, IFN_DTYPE_F32, 2, {2, 3}};
    const ifn_linear_args a = IFN_ARGS(linear, .x = x, .rows = 1, .k = 3, .x_stride = 3, .n_w = 1,
                                       .w = {&w}, .out = {out}, .out_stride = {2});
    ifn_error err;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_LINEAR, &a.call), IFN_OK);
    assert_int_equal(ifn_check_state_after(s, "leaf", NULL, IFN_OP_LINEAR, &a.call), IFN_OK);
    out[5] = NAN;
    assert_int_equal(after_add(s, 0, all), IFN_ERR_NUMERIC);
    assert_int_equal(ifn_check_state_explain(s, &err), 1);
    assert_non_null(strstr(err.text, "; call 2, last weight blk.0.attn_q.weight"));
    y[4] = INFINITY;
    out[1] = INFINITY;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_LINEAR, &a.call), IFN_OK);
    assert_int_equal(ifn_check_state_after(s, "leaf", NULL, IFN_OP_LINEAR, &a.call),
                     IFN_ERR_NUMERIC);
    assert_int_equal(ifn_check_state_explain(s, &err), 1);
    assert_non_null(
        strstr(err.text, "; w[0] blk.0.attn_q.weight is inf at row 1, element 1 already"));
    ifn_check_state_close(s);
}

TEST(a_piece_looks_at_its_part_alone)
{
    check_state *const s = opened(3, 0);
    ifn_error err;
    uint64_t when;
    out[4] = NAN;
    assert_int_equal(after_add(s, 0, (ifn_range){0, 4}), IFN_OK);
    assert_int_equal(ifn_check_state_finding(s, &err, &when), 0);
    assert_int_equal(after_add(s, 2, (ifn_range){3, 6}), IFN_OK);
    assert_int_equal(after_add(s, 1, (ifn_range){4, 6}), IFN_OK);
    assert_int_equal(ifn_check_state_finding(s, &err, &when), 1);
    assert_non_null(strstr(err.text, "row 0, element 1 of part [3,6)")); /* the earlier one */
    ifn_check_state_close(s);
}

TEST(masks_do_not_count)
{
    check_state *const s = opened(1, 1);
    const ifn_fill_strict_upper_tri_args a =
        IFN_ARGS(fill_strict_upper_tri, .x = out, .rows = 2, .cols = 3, .value = -INFINITY);
    out[1] = -INFINITY;
    assert_int_equal(ifn_check_state_before(s, NULL, IFN_OP_FILL_STRICT_UPPER_TRI, &a.call),
                     IFN_OK);
    assert_int_equal(ifn_check_state_after(s, "leaf", NULL, IFN_OP_FILL_STRICT_UPPER_TRI, &a.call),
                     IFN_OK);
    ifn_check_state_close(s);
}

TEST(every_failed_allocation_is_reported_and_leaks_nothing)
{
    for (long n = 0; n < 3; n++) {
        fail_alloc failing;
        check_state *s;
        ifn_error err = {0};
        fail_alloc_init(&failing, n);
        const ifn_status status = ifn_check_state_open(2, 0, &failing.allocator, &s, &err);
        assert_int_equal(status, n < 2 ? IFN_ERR_NOMEM : IFN_OK);
        ifn_check_state_close(s);
        assert_int_equal(failing.live_blocks, 0);
    }
    ifn_check_state_close(NULL);
}
