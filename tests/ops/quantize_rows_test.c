#include <math.h>

#include <inferno/quant.h>

#include "op_case.h"

TEST(every_row_of_every_dtype_is_quantized_alone)
{
    for (uint64_t seed = 0; seed < 280; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_QUANTIZE_ROWS, seed);
        const ifn_dtype dtype = (ifn_dtype)(seed % IFN_DTYPE_COUNT);
        const int64_t cols = op_size(&c, 3) * ifn_dtype_block_elements(dtype),
                      rows = op_size(&c, 9);
        const size_t row_bytes = ifn_dtype_row_bytes(dtype, cols);
        const float *x = op_floats(&c, rows * cols, op_kind(&c));
        unsigned char *out = op_output(&c, rows * row_bytes);
        c.args.quantize_rows = IFN_ARGS(quantize_rows, .out = out, .x = x, .rows = rows,
                                        .cols = cols, .out_dtype = dtype);
        op_shape(&c, "%s, rows %d, cols %d", ifn_dtype_name(dtype), (int)rows, (int)cols);
        while (op_next(&c)) {
            for (int64_t r = 0; r < rows && cols > 0; r++) {
                unsigned char row[3 * 256 * sizeof(float)];
                assert_int_equal(ifn_quantize_row(dtype, x + r * cols, row, cols), IFN_OK);
                op_expect_bytes(&c, "row", out + r * row_bytes, row, row_bytes);
            }
        }
    }
}

TEST(known_blocks_of_q8_32f)
{
    op_case c;
    op_begin(&c, IFN_OP_QUANTIZE_ROWS, 0);
    float values[64] = {254, -254, 3, 1, -1, 2}; /* 3/2 and 1/2 are ties: to even */
    values[40] = NAN;
    const float *x = op_input(&c, values, sizeof values);
    ifn_block_q8_32f *out = op_output(&c, 2 * sizeof *out);
    c.args.quantize_rows = IFN_ARGS(quantize_rows, .out = out, .x = x, .rows = 2, .cols = 32,
                                    .out_dtype = IFN_DTYPE_Q8_32F);
    const ifn_block_q8_32f expected = {.d = 2, .s = 3, .qs = {127, -127, 2, 0, 0, 1}};
    while (op_next(&c)) {
        op_expect_bytes(&c, "out[0]", &out[0], &expected, sizeof expected);
        op_expect_float(&c, "out[1].d", 0, out[1].d, NAN);
    }
}

TEST(columns_that_do_not_fit_the_block_are_refused)
{
    const ifn_quantize_rows_args wrong[] = {
        IFN_ARGS(quantize_rows, .cols = 31, .out_dtype = IFN_DTYPE_Q8_0),
        IFN_ARGS(quantize_rows, .cols = 32, .out_dtype = IFN_DTYPE_Q4_K),
        IFN_ARGS(quantize_rows, .cols = -32),
        IFN_ARGS(quantize_rows, .rows = -1),
        IFN_ARGS(quantize_rows, .cols = 32, .out_dtype = IFN_DTYPE_COUNT),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_QUANTIZE_ROWS, i);
        c.args.quantize_rows = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
