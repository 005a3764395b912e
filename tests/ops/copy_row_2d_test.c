#include "op_case.h"

TEST(one_row_is_written_and_nothing_else)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_ROW_2D, seed);
        const int64_t out_rows = 1 + op_size(&c, 9), x_rows = 1 + op_size(&c, 9);
        const int64_t cols = op_size(&c, 70);
        const int64_t out_row = op_below(&c, out_rows), x_row = op_below(&c, x_rows);
        const float *x = op_floats(&c, x_rows * cols, OP_BITS);
        float *out = op_output_some(&c, out_rows * cols * 4);
        c.args.copy_row_2d =
            IFN_ARGS(copy_row_2d, .out = out, .x = x, .out_rows = out_rows, .x_rows = x_rows,
                     .cols = cols, .out_row = out_row, .x_row = x_row);
        op_shape(&c, "row %d of %d to %d of %d, cols %d", (int)x_row, (int)x_rows, (int)out_row,
                 (int)out_rows, (int)cols);
        while (op_next(&c)) {
            for (int64_t i = 0; i < out_rows * cols; i++) {
                if (i / cols != out_row)
                    op_expect_untouched(&c, "another row", &out[i], sizeof *out);
                else
                    op_expect_bits(&c, "out", i, &out[i], &x[x_row * cols + i % cols]);
            }
        }
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_COPY_ROW_2D, 0);
    const float *x = OP_IN(&c, 1, 2, 3, 4);
    float *out = op_in_place(&c, (const float[]){9, 9, 8, 8, 7, 7}, 6 * sizeof *out);
    c.args.copy_row_2d = IFN_ARGS(copy_row_2d, .out = out, .x = x, .out_rows = 3, .x_rows = 2,
                                  .cols = 2, .out_row = 2, .x_row = 0);
    while (op_next(&c))
        OP_EXPECT(&c, out, 9, 9, 8, 8, 1, 2);
}

TEST(a_row_outside_its_matrix_is_refused)
{
    const ifn_copy_row_2d_args wrong[] = {
        IFN_ARGS(copy_row_2d, .out_rows = 2, .x_rows = 3, .out_row = 2),
        IFN_ARGS(copy_row_2d, .out_rows = 2, .x_rows = 3, .x_row = 3),
        IFN_ARGS(copy_row_2d, .out_rows = 2, .x_rows = 3, .out_row = -1),
        IFN_ARGS(copy_row_2d, .out_rows = 2, .x_rows = 3, .x_row = -1),
        IFN_ARGS(copy_row_2d, .out_rows = 2, .x_rows = 3, .cols = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_ROW_2D, i);
        c.args.copy_row_2d = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
