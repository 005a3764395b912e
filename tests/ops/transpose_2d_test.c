#include "op_case.h"

TEST(rows_become_columns_bit_for_bit)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_TRANSPOSE_2D, seed);
        const int64_t rows = op_size(&c, 40), cols = op_size(&c, 40);
        const float *x = op_floats(&c, rows * cols, OP_BITS);
        float *out = op_output(&c, rows * cols * 4);
        c.args.transpose_2d =
            IFN_ARGS(transpose_2d, .out = out, .x = x, .rows = rows, .cols = cols);
        op_shape(&c, "rows %d, cols %d", (int)rows, (int)cols);
        while (op_next(&c))
            for (int64_t i = 0; i < rows * cols; i++)
                op_expect_bits(&c, "x", i, &out[i % cols * rows + i / cols], &x[i]);
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_TRANSPOSE_2D, 0);
    const float *x = OP_IN(&c, 1, 2, 3, 4, 5, 6);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.transpose_2d = IFN_ARGS(transpose_2d, .out = out, .x = x, .rows = 2, .cols = 3);
    while (op_next(&c))
        OP_EXPECT(&c, out, 1, 4, 2, 5, 3, 6);
}

TEST(a_negative_extent_is_refused)
{
    const ifn_transpose_2d_args wrong[] = {
        IFN_ARGS(transpose_2d, .rows = -1),
        IFN_ARGS(transpose_2d, .cols = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_TRANSPOSE_2D, i);
        c.args.transpose_2d = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
