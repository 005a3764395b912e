#include "arg_fields.h"

#include "test.h"

static void a_scalar_of_a_call_is_set_by_name(void **state)
{
    (void)state;
    ifn_args args = {.rms_norm = IFN_ARGS(rms_norm, .eps = 1.0f)};
    assert_true(conform_set_field(IFN_OP_RMS_NORM, &args, "eps", -0.5));
    assert_true(args.rms_norm.eps == -0.5f);
    args.attention = IFN_ARGS(attention, .rows = 5);
    assert_true(conform_set_field(IFN_OP_ATTENTION, &args, "n_heads", 7));
    assert_true(conform_set_field(IFN_OP_ATTENTION, &args, "phase", 3));
    assert_int_equal(args.attention.n_heads, 7);
    assert_int_equal(args.attention.phase, 3);
    assert_int_equal(args.attention.rows, 5);
    args.linear = IFN_ARGS(linear, .out_stride = {9, 9, 9, 9});
    assert_true(conform_set_field(IFN_OP_LINEAR, &args, "out_stride_0", 2));
    assert_int_equal(args.linear.out_stride[0], 2);
    assert_int_equal(args.linear.out_stride[1], 9);
}

static void what_a_call_does_not_have_is_left_alone(void **state)
{
    (void)state;
    ifn_args args = {.swiglu = IFN_ARGS(swiglu, .rows = 5)};
    const ifn_args before = args;
    assert_false(conform_set_field(IFN_OP_SWIGLU, &args, "eps", 1));
    assert_memory_equal(&args, &before, sizeof args);
    assert_false(conform_has_field(IFN_OP_SWIGLU, "eps"));
    assert_true(conform_has_field(IFN_OP_RMS_NORM, "eps"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN(a_scalar_of_a_call_is_set_by_name),
        RUN(what_a_call_does_not_have_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
