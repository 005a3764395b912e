#include <inferno/signature_values.h>

#include <string.h>

#include "legal_calls.h"
#include "test.h"

static size_t bytes_of(const ifn_op_arg *a)
{
    switch ((ifn_arg_kind)a->kind) {
    case IFN_ARG_INT32:
        return sizeof(int32_t);
    case IFN_ARG_REAL:
        return sizeof(float);
    case IFN_ARG_DTYPE:
        return sizeof(ifn_dtype);
    case IFN_ARG_BYTES:
        return sizeof(size_t);
    case IFN_ARG_EXTENT:
    case IFN_ARG_EVEN:
    case IFN_ARG_INT64:
    case IFN_ARG_STRIDE:
        return sizeof(int64_t);
    default:
        return sizeof(void *);
    }
}

/* Counts how many arguments, parts among them, each byte of the struct belongs to. */
static void count_owners(ifn_op op, unsigned char owners[sizeof(ifn_args)])
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    memset(owners, 1, sizeof(ifn_call));
    for (int axis = 0; axis < 2; axis++) {
        ifn_args args = {0};
        ifn_op_set_part(op, &args.call, axis, -1, -1);
        for (size_t i = 0; i < sizeof args; i++)
            owners[i] += args.room[i] != 0;
    }
    for (size_t i = 0; i < s.n; i++)
        for (size_t k = 0; k < s.args[i].count * bytes_of(&s.args[i]); k++)
            owners[s.args[i].offset + k]++;
}

/* Alignment leaves gaps: less than four bytes, or four before a member of eight. */
TEST(every_byte_of_a_struct_belongs_to_one_argument)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        unsigned char owners[sizeof(ifn_args)] = {0};
        size_t gap = 0;
        count_owners((ifn_op)op, owners);
        for (size_t i = 0; i < ifn_op_args_bytes((ifn_op)op); i++) {
            gap = owners[i] ? 0 : gap + 1;
            assert_that(owners[i] <= 1, "%s: byte %zu has two rows", ifn_op_name((ifn_op)op), i);
            assert_that(gap <= 4, "%s: no row is about byte %zu", ifn_op_name((ifn_op)op), i);
        }
    }
}

/* A dimension that is cut is one of a written tensor. */
TEST(declared_cuts_run_along_a_dimension_of_an_output)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_op_signature s = ifn_op_signature_of((ifn_op)op);
        int n_cut = 0;
        for (size_t i = 0; i < s.n; i++)
            for (size_t k = 0; ifn_arg_is_written(&s.args[i]) && k < s.args[i].n_dims; k++)
                n_cut += s.args[i].dims[k].cut != IFN_DIM_WHOLE;
        assert_that((n_cut > 0) == (ifn_op_cut((ifn_op)op, 0) != IFN_CUT_NONE), "%s: %d",
                    ifn_op_name((ifn_op)op), n_cut);
    }
}

TEST(inputs_stand_before_outputs)
{
    for (int op = 0; op < IFN_OP_COUNT; op++) {
        const ifn_op_signature s = ifn_op_signature_of((ifn_op)op);
        int n_written = 0;
        for (size_t i = 0; i < s.n; i++) {
            n_written += ifn_arg_is_written(&s.args[i]);
            assert_that(!ifn_arg_is_tensor(&s.args[i]) || ifn_arg_is_written(&s.args[i]) ||
                            n_written == 0,
                        "%s: %s", ifn_op_name((ifn_op)op), s.args[i].name);
        }
        assert_true(n_written > 0);
    }
}

TEST(arguments_are_found_by_name_and_place)
{
    const ifn_op_arg *const eps = ifn_op_arg_find(IFN_OP_RMS_NORM, "eps");
    assert_int_equal(eps->offset, offsetof(ifn_rms_norm_args, eps));
    assert_null(ifn_op_arg_find(IFN_OP_RMS_NORM, "part_begin"));
    assert_null(ifn_op_arg_find(IFN_OP_COUNT, "eps"));
    assert_string_equal(ifn_op_arg_name_at(IFN_OP_RMS_NORM, eps->offset), "eps");
    assert_string_equal(ifn_op_arg_name_at(IFN_OP_RMS_NORM, 1), "");
}

TEST(numbers_are_read_as_what_they_are)
{
    const ifn_rms_norm_args a = IFN_ARGS(rms_norm, .dim = 1 + (INT64_C(1) << 40), .eps = 0.5f,
                                         .out_dtype = IFN_DTYPE_Q8_32F);
    const ifn_sum_squares_axis_args s = IFN_ARGS(sum_squares_axis, .axis = -7, .rows = 9);
    const ifn_copy_in_args c = IFN_ARGS(copy_in, .bytes = 11);
    assert_true(ifn_arg_integer(ifn_op_arg_find(IFN_OP_RMS_NORM, "dim"), &a.call) == a.dim);
    assert_true(ifn_float_at(&a.call, offsetof(ifn_rms_norm_args, eps)) == 0.5f);
    assert_int_equal(ifn_arg_integer(ifn_op_arg_find(IFN_OP_RMS_NORM, "out_dtype"), &a.call),
                     IFN_DTYPE_Q8_32F);
    assert_int_equal(ifn_arg_integer(ifn_op_arg_find(IFN_OP_SUM_SQUARES_AXIS, "axis"), &s.call),
                     -7);
    assert_int_equal(ifn_arg_integer(ifn_op_arg_find(IFN_OP_COPY_IN, "bytes"), &c.call), 11);
}

static const ifn_op_dim *dim_of(ifn_op op, const char *name, int i)
{
    return &ifn_op_arg_find(op, name)->dims[i];
}

TEST(dimensions_have_lengths_and_windows)
{
    ifn_concat_dim0_args c = legal_concat_dim0();
    const ifn_copy_2d_into_cols_args w = legal_copy_2d_into_cols();
    const ifn_linear_args l = legal_linear();
    const ifn_op_dim *const both = dim_of(IFN_OP_CONCAT_DIM0, "out", 0);
    const ifn_op_dim *const window = dim_of(IFN_OP_COPY_2D_INTO_COLS, "out", 1);
    assert_int_equal(ifn_dim_length(both, &c.call, 0), 5);
    c.a_rows = INT64_MAX;
    assert_true(ifn_dim_length(both, &c.call, 0) == INT64_MAX);
    assert_int_equal(ifn_dim_begin(window, &w.call), 4);
    assert_int_equal(ifn_dim_touched(window, &w.call, 0), 3);
    assert_int_equal(ifn_dim_begin(both, &c.call), 0);
    assert_int_equal(ifn_dim_length(dim_of(IFN_OP_LINEAR, "out", 1), &l.call, 1), 7);
}

/* A sum along one axis keeps the other. */
TEST(a_dimension_may_depend_on_a_number)
{
    ifn_sum_squares_axis_args a = legal_sum_squares_axis();
    for (a.axis = 0; a.axis <= 1; a.axis++) {
        for (int i = 0; i < 2; i++) {
            const int is_kept = a.axis == 1 - i;
            assert_int_equal(ifn_dim_is_there(dim_of(IFN_OP_SUM_SQUARES_AXIS, "out", i), &a.call),
                             is_kept);
            assert_int_equal(ifn_dim_is_cut(dim_of(IFN_OP_SUM_SQUARES_AXIS, "x", i), &a.call),
                             is_kept);
            assert_true(ifn_dim_is_there(dim_of(IFN_OP_SUM_SQUARES_AXIS, "x", i), &a.call));
        }
    }
}

TEST(rows_are_as_long_as_their_dtype_says)
{
    const ifn_quantize_rows_args q = legal_quantize_rows();
    const ifn_copy_in_args c = legal_copy_in();
    const ifn_op_arg *const out = ifn_op_arg_find(IFN_OP_QUANTIZE_ROWS, "out");
    const ifn_op_arg *const host = ifn_op_arg_find(IFN_OP_COPY_IN, "host");
    assert_int_equal(ifn_arg_dtype(out, &q.call), IFN_DTYPE_Q8_0);
    assert_int_equal(ifn_arg_row_bytes(out, &q.call, 64), 68);
    assert_int_equal(ifn_arg_dtype(host, &c.call), IFN_DTYPE_COUNT);
    assert_int_equal(ifn_arg_row_bytes(host, &c.call, 9), 9);
    assert_ptr_equal(ifn_arg_pointer(out, &q.call, 0), q.out);
}
