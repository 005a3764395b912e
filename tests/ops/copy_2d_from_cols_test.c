#include "op_case.h"

TEST(the_window_is_copied_bit_for_bit)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_2D_FROM_COLS, seed);
        const int64_t rows = op_size(&c, 20), cols = op_size(&c, 40), before = op_size(&c, 9);
        const int64_t x_cols = before + cols + op_size(&c, 9);
        const float *x = op_floats(&c, rows * x_cols, OP_BITS);
        float *out = op_output(&c, rows * cols * 4);
        c.args.copy_2d_from_cols = IFN_ARGS(copy_2d_from_cols, .out = out, .x = x, .rows = rows,
                                            .cols = cols, .x_cols = x_cols, .col_begin = before);
        op_shape(&c, "rows %d, cols %d of %d from %d", (int)rows, (int)cols, (int)x_cols,
                 (int)before);
        while (op_next(&c))
            for (int64_t i = 0; i < rows * cols; i++)
                op_expect_bits(&c, "out", i, &out[i], &x[i / cols * x_cols + before + i % cols]);
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_COPY_2D_FROM_COLS, 0);
    const float *x = OP_IN(&c, 1, 2, 3, 4, 5, 6);
    float *out = op_output(&c, 4 * sizeof *out);
    c.args.copy_2d_from_cols = IFN_ARGS(copy_2d_from_cols, .out = out, .x = x, .rows = 2, .cols = 2,
                                        .x_cols = 3, .col_begin = 1);
    while (op_next(&c))
        OP_EXPECT(&c, out, 2, 3, 5, 6);
}

TEST(a_window_outside_the_matrix_is_refused)
{
    const ifn_copy_2d_from_cols_args wrong[] = {
        IFN_ARGS(copy_2d_from_cols, .cols = 2, .x_cols = 3, .col_begin = 2),
        IFN_ARGS(copy_2d_from_cols, .cols = 2, .x_cols = 3, .col_begin = -1),
        IFN_ARGS(copy_2d_from_cols, .rows = -1),
        IFN_ARGS(copy_2d_from_cols, .cols = -1, .x_cols = 3),
        IFN_ARGS(copy_2d_from_cols, .x_cols = -1, .cols = -1),
        IFN_ARGS(copy_2d_from_cols, .cols = 1, .x_cols = 3, .col_begin = INT64_MAX),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_2D_FROM_COLS, i);
        c.args.copy_2d_from_cols = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
