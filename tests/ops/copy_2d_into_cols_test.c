#include "op_case.h"

TEST(the_window_is_written_and_nothing_else)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_2D_INTO_COLS, seed);
        const int64_t rows = op_size(&c, 20), cols = op_size(&c, 40), before = op_size(&c, 9);
        const int64_t out_cols = before + cols + op_size(&c, 9);
        const float *x = op_floats(&c, rows * cols, OP_BITS);
        float *out = op_output_some(&c, rows * out_cols * 4);
        c.args.copy_2d_into_cols =
            IFN_ARGS(copy_2d_into_cols, .out = out, .x = x, .rows = rows, .cols = cols,
                     .out_cols = out_cols, .col_begin = before);
        op_shape(&c, "rows %d, cols %d of %d from %d", (int)rows, (int)cols, (int)out_cols,
                 (int)before);
        while (op_next(&c)) {
            for (int64_t i = 0; i < rows * out_cols; i++) {
                const int64_t col = i % out_cols - before;
                if (col < 0 || col >= cols)
                    op_expect_untouched(&c, "beside the window", &out[i], sizeof *out);
                else
                    op_expect_bits(&c, "out", i, &out[i], &x[i / out_cols * cols + col]);
            }
        }
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_COPY_2D_INTO_COLS, 0);
    const float *x = OP_IN(&c, 1, 2, 3, 4);
    float *out = op_in_place(&c, (const float[]){9, 9, 9, 8, 8, 8}, 6 * sizeof *out);
    c.args.copy_2d_into_cols = IFN_ARGS(copy_2d_into_cols, .out = out, .x = x, .rows = 2, .cols = 2,
                                        .out_cols = 3, .col_begin = 1);
    while (op_next(&c))
        OP_EXPECT(&c, out, 9, 1, 2, 8, 3, 4);
}

TEST(a_window_outside_the_matrix_is_refused)
{
    const ifn_copy_2d_into_cols_args wrong[] = {
        IFN_ARGS(copy_2d_into_cols, .cols = 2, .out_cols = 3, .col_begin = 2),
        IFN_ARGS(copy_2d_into_cols, .cols = 2, .out_cols = 3, .col_begin = -1),
        IFN_ARGS(copy_2d_into_cols, .rows = -1),
        IFN_ARGS(copy_2d_into_cols, .cols = -1, .out_cols = 3),
        IFN_ARGS(copy_2d_into_cols, .cols = 1, .out_cols = 3, .col_begin = INT64_MAX),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_2D_INTO_COLS, i);
        c.args.copy_2d_into_cols = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
