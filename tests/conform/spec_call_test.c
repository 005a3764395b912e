#include "spec_call.h"

#include "test.h"

TEST(a_call_names_tensors_and_what_does_not_follow_from_them)
{
    static const struct {
        ifn_op op;
        const char *text;
    } of[] = {
        {IFN_OP_ADD, "add(x, y)"},
        {IFN_OP_SCALE, "scale(x, value)"},
        {IFN_OP_MATMUL, "matmul(a, b)"},
        {IFN_OP_SUM_SQUARES_AXIS, "sum_squares_axis(x, axis)"},
        {IFN_OP_BROADCAST_ROW_SCALARS, "broadcast_row_scalars(x, dim)"},
        {IFN_OP_COPY_2D_FROM_COLS, "copy_2d_from_cols(x, cols, col_begin)"},
        {IFN_OP_COPY_2D_INTO_COLS, "copy_2d_into_cols(x, col_begin)"},
        {IFN_OP_FILL_STRICT_UPPER_TRI, "fill_strict_upper_tri(x, value, offset)"},
        {IFN_OP_QUANTIZE_ROWS, "quantize_rows(x, out_dtype)"},
        {IFN_OP_DEQUANTIZE_ROWS, "dequantize_rows(x)"},
        {IFN_OP_APPLY_ROPE, "apply_rope(x, table, pairing)"},
        {IFN_OP_CONCAT_DIM0, "concat_dim0(a, b)"},
    };
    for (size_t i = 0; i < N_OF(of); i++) {
        spec_call call;
        char text[64];
        assert_true(spec_call_of(of[i].op, &call));
        spec_call_text(of[i].op, &call, text, sizeof text);
        assert_string_equal(text, of[i].text);
    }
}

TEST(what_is_changed_is_an_operand_or_what_a_line_defines)
{
    spec_call call;
    assert_true(spec_call_of(IFN_OP_FILL_STRICT_UPPER_TRI, &call));
    assert_true(call.is_in_place && !call.is_into);
    assert_true(spec_call_of(IFN_OP_COPY_2D_INTO_COLS, &call));
    assert_true(call.is_into && !call.is_in_place);
    assert_true(spec_call_of(IFN_OP_ADD, &call));
    assert_true(!call.is_into && !call.is_in_place);
}

TEST(ops_with_weights_or_several_results_are_not_called)
{
    static const ifn_op none[] = {IFN_OP_LINEAR,   IFN_OP_GATHER_ROWS, IFN_OP_ARGMAX_WITH_PROB,
                                  IFN_OP_RMS_NORM, IFN_OP_KV_STORE,    IFN_OP_ATTENTION,
                                  IFN_OP_COPY_IN,  IFN_OP_COPY_OUT};
    spec_call call;
    for (size_t i = 0; i < N_OF(none); i++)
        assert_false(spec_call_of(none[i], &call));
}
