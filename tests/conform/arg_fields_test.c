#include "arg_fields.h"

#include "test.h"

TEST(a_scalar_of_a_call_is_set_by_name)
{
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
    assert_true(conform_set_field(IFN_OP_LINEAR, &args, "out_stride_3", 4));
    assert_int_equal(args.linear.out_stride[3], 4);
    assert_false(conform_has_field(IFN_OP_LINEAR, "out_stride_4"));
}

TEST(what_a_call_does_not_have_is_left_alone)
{
    ifn_args args = {.swiglu = IFN_ARGS(swiglu, .rows = 5)};
    const ifn_args before = args;
    assert_false(conform_set_field(IFN_OP_SWIGLU, &args, "eps", 1));
    assert_memory_equal(&args, &before, sizeof args);
    assert_false(conform_has_field(IFN_OP_SWIGLU, "eps"));
    assert_true(conform_has_field(IFN_OP_RMS_NORM, "eps"));
}

TEST(what_is_said_of_a_weight_is_set_by_name)
{
    ifn_tensor w[IFN_LINEAR_MAX] = {{.name = "w_0", .shape = {3, 4}}, {.name = "w_1", .n_dims = 2}};
    static const double values[] = {-1, 32};
    assert_true(conform_set_weight_field(w, "w_0.shape", values, 2));
    assert_true(w[0].shape[0] == -1 && w[0].shape[1] == 32);
    assert_true(conform_set_weight_field(w, "w_1.dtype", &values[1], 1));
    assert_int_equal(w[1].dtype, 32);
    assert_true(conform_set_weight_field(w, "w_1.n_dims", &values[1], 1));
    assert_int_equal(w[1].n_dims, 32);
    assert_false(conform_set_weight_field(w, "w_2.dtype", values, 1));
    assert_false(conform_set_weight_field(w, "w.dtype", values, 1));
    assert_false(conform_set_weight_field(w, "w_1.shape", values, 1));
    assert_false(conform_set_weight_field(w, "w_1.dtype", values, 2));
    assert_false(conform_set_weight_field(w, "w_1.name", values, 1));
    assert_false(conform_is_weight_field("w_1.name"));
    assert_false(conform_is_weight_field("dtype"));
    assert_int_equal(w[1].dtype, 32);
}
