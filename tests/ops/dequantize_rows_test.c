#include "op_weights.h"

TEST(every_row_of_every_dtype_is_its_exact_value_rounded_once)
{
    for (uint64_t seed = 0; seed < 260; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_DEQUANTIZE_ROWS, seed);
        const ifn_dtype dtype = (ifn_dtype)(seed % IFN_DTYPE_Q8_32F);
        const int64_t cols = op_size(&c, 3) * ifn_dtype_block_elements(dtype),
                      rows = op_size(&c, 9);
        op_weights w;
        op_weights_init(&w, &c, dtype, rows, cols, OP_SCALES_ANY);
        float *out = op_output(&c, rows * cols * 4);
        c.args.dequantize_rows = IFN_ARGS(dequantize_rows, .out = out, .x = w.tensor.data,
                                          .rows = rows, .cols = cols, .dtype = dtype);
        op_shape(&c, "%s, rows %d, cols %d", ifn_dtype_name(dtype), (int)rows, (int)cols);
        while (op_next(&c))
            for (int64_t i = 0; i < rows * cols; i++)
                op_expect(&c, "out", i, out[i], (double)(float)(w.scaled[i] + w.minimum[i]), 0);
        op_weights_fini(&w);
    }
}

TEST(activation_rows_decode_too)
{
    op_case c;
    op_begin(&c, IFN_OP_DEQUANTIZE_ROWS, 0);
    const ifn_block_q8_32f *x =
        op_input(&c, &(const ifn_block_q8_32f){.d = 0.5f, .s = 120, .qs = {127, -7}}, sizeof *x);
    float *out = op_output(&c, 32 * sizeof *out);
    c.args.dequantize_rows = IFN_ARGS(dequantize_rows, .out = out, .x = x, .rows = 1, .cols = 32,
                                      .dtype = IFN_DTYPE_Q8_32F);
    while (op_next(&c))
        OP_EXPECT(&c, out, 63.5f, -3.5f, 0);
}

TEST(columns_that_do_not_fit_the_block_are_refused)
{
    const ifn_dequantize_rows_args wrong[] = {
        IFN_ARGS(dequantize_rows, .cols = 31, .dtype = IFN_DTYPE_Q8_0),
        IFN_ARGS(dequantize_rows, .cols = 32, .dtype = IFN_DTYPE_Q4_K),
        IFN_ARGS(dequantize_rows, .cols = -32),
        IFN_ARGS(dequantize_rows, .rows = -1),
        IFN_ARGS(dequantize_rows, .cols = 32, .dtype = IFN_DTYPE_COUNT),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_DEQUANTIZE_ROWS, i);
        c.args.dequantize_rows = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
