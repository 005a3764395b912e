#include "row_view.h"

#include "test.h"

TEST(a_call_of_some_rows_is_the_call_moved_and_shortened)
{
    float a[5 * 3], out[5 * 2];
    ifn_args args = {.matmul =
                         IFN_ARGS(matmul, .out = out, .a = a, .b = a, .m = 5, .n = 3, .p = 2)};
    const row_view view = conform_row_view(IFN_OP_MATMUL, &args);
    assert_int_equal(view.n, 5);
    assert_int_equal(view.n_fields, 2);
    conform_row_view_take(&view, &args, 2, 3);
    assert_int_equal(args.matmul.m, 3);
    assert_ptr_equal(args.matmul.a, a + 2 * 3);
    assert_ptr_equal(args.matmul.out, out + 2 * 2);
    assert_ptr_equal(args.matmul.b, a);
    assert_int_equal(args.matmul.n, 3);
}

TEST(strides_and_every_output_of_a_linear_count)
{
    static ifn_block_q8_32f x[4 * 3];
    float out[2][4 * 8];
    const ifn_tensor w[2] = {{.shape = {5, 64}}, {.shape = {6, 64}}};
    ifn_args args = {.linear_q8 = IFN_ARGS(linear_q8, .x = x, .rows = 4, .k = 64, .x_stride = 3,
                                           .n_w = 2, .w = {&w[0], &w[1]}, .out = {out[0], out[1]},
                                           .out_stride = {7, 8})};
    const row_view view = conform_row_view(IFN_OP_LINEAR_Q8, &args);
    assert_int_equal(view.n_fields, 3);
    assert_int_equal(view.fields[0].bytes, 2 * sizeof *x);
    assert_int_equal(view.fields[0].stride, 3 * sizeof *x);
    assert_int_equal(view.fields[1].bytes, 5 * sizeof(float));
    assert_true(view.fields[2].is_out);
    conform_row_view_take(&view, &args, 1, 1);
    assert_ptr_equal(args.linear_q8.x, x + 3);
    assert_ptr_equal(args.linear_q8.out[0], out[0] + 7);
    assert_ptr_equal(args.linear_q8.out[1], out[1] + 8);
    assert_int_equal(args.linear_q8.rows, 1);
}

TEST(what_is_not_there_stays_away)
{
    float x[4 * 32], out[4 * 32];
    ifn_args args = {.rms_norm = IFN_ARGS(rms_norm, .out = out, .x = x, .weight = x, .rows = 4,
                                          .dim = 32, .out_dtype = IFN_DTYPE_Q8_32F)};
    const row_view view = conform_row_view(IFN_OP_RMS_NORM, &args);
    assert_int_equal(view.n_fields, 2);
    assert_int_equal(view.fields[1].bytes, sizeof(ifn_block_q8_32f));
    conform_row_view_take(&view, &args, 3, 1);
    assert_null(args.rms_norm.add);
    assert_null(args.rms_norm.sum);
    assert_ptr_equal(args.rms_norm.weight, x);
}

/* In these ops the result of a row depends on its place, or no argument has rows. */
TEST(ops_without_independent_rows_have_no_view)
{
    static const ifn_op ops[] = {
        IFN_OP_FILL_STRICT_UPPER_TRI, IFN_OP_TRANSPOSE_2D, IFN_OP_ATTENTION, IFN_OP_KV_STORE,
        IFN_OP_ARGMAX_WITH_PROB,      IFN_OP_COPY_IN,      IFN_OP_COPY_OUT};
    const ifn_args none = {.call = {.lane = 0}};
    for (size_t i = 0; i < N_OF(ops); i++) {
        assert_int_equal(conform_row_view(ops[i], &none).n, 0);
        assert_false(conform_row_view_is_known(ops[i]));
    }
    assert_true(conform_row_view_is_known(IFN_OP_MATMUL));
    const ifn_args columns = {.sum_squares_axis = {.rows = 4, .cols = 3, .axis = 0}};
    assert_int_equal(conform_row_view(IFN_OP_SUM_SQUARES_AXIS, &columns).n, 0);
}

/* Expects that the view names the member that holds the number of rows, and that it moves each pointer. */
static void expect_moved(ifn_op op, ifn_args args)
{
    const ifn_args whole = args;
    const row_view view = conform_row_view(op, &args);
    assert_that(view.n == 7, "%s: %lld rows", ifn_op_name(op), (long long)view.n);
    conform_row_view_take(&view, &args, 4, 2);
    assert_int_equal(conform_row_view(op, &args).n, 2);
    for (int f = 0; f < view.n_fields; f++)
        assert_ptr_equal((const char *)conform_row_field(&args, &view.fields[f]),
                         (const char *)conform_row_field(&whole, &view.fields[f]) +
                             4 * view.fields[f].stride);
}

#define EXPECT_MOVED(NAME, name, ...)                                                              \
    expect_moved(IFN_OP_##NAME, (ifn_args){.name = IFN_ARGS(name, __VA_ARGS__)})

TEST(the_count_is_that_of_the_struct)
{
    const ifn_tensor table = {.shape = {9, 3}};
    const int32_t ids[7] = {0};
    float x[64];
    EXPECT_MOVED(SILU, silu, .out = x, .x = x, .n = 7);
    EXPECT_MOVED(RSQRT_ELEM, rsqrt_elem, .out = x, .x = x, .n = 7);
    EXPECT_MOVED(ADD, add, .out = x, .x = x, .y = x, .n = 7);
    EXPECT_MOVED(HADAMARD, hadamard, .out = x, .x = x, .y = x, .n = 7);
    EXPECT_MOVED(SCALE, scale, .out = x, .x = x, .n = 7);
    EXPECT_MOVED(ADD_SCALAR, add_scalar, .out = x, .x = x, .n = 7);
    EXPECT_MOVED(SOFTMAX_ROWS, softmax_rows, .out = x, .x = x, .rows = 7, .cols = 2);
    EXPECT_MOVED(SUM_SQUARES_AXIS, sum_squares_axis, .out = x, .x = x, .rows = 7, .cols = 2,
                 .axis = 1);
    EXPECT_MOVED(BROADCAST_ROW_SCALARS, broadcast_row_scalars, .out = x, .x = x, .rows = 7,
                 .dim = 2);
    EXPECT_MOVED(REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix, .out = x, .x = x, .rows = 7, .dim = 2);
    EXPECT_MOVED(GATHER_ROWS, gather_rows, .out = x, .table = &table, .ids = ids, .n = 7);
    EXPECT_MOVED(APPLY_ROPE, apply_rope, .out = x, .x = x, .table = x, .rows = 7, .n_heads = 1,
                 .head_dim = 2);
    EXPECT_MOVED(QUANTIZE_ROWS, quantize_rows, .out = x, .x = x, .rows = 7, .cols = 2);
    EXPECT_MOVED(DEQUANTIZE_ROWS, dequantize_rows, .out = x, .x = x, .rows = 7, .cols = 2);
    EXPECT_MOVED(SWIGLU, swiglu, .out = x, .gate = x, .up = x, .rows = 7, .dim = 2);
}
