#include "op_case.h"

TEST(every_row_is_the_row)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_REPEAT_ROW_AS_MATRIX, seed);
        const int64_t rows = op_size(&c, 40), dim = op_size(&c, 40);
        const float *x = op_floats(&c, dim, OP_BITS);
        float *out = op_output(&c, rows * dim * 4);
        c.args.repeat_row_as_matrix =
            IFN_ARGS(repeat_row_as_matrix, .out = out, .x = x, .rows = rows, .dim = dim);
        op_shape(&c, "rows %d, dim %d", (int)rows, (int)dim);
        while (op_next(&c))
            for (int64_t i = 0; i < rows * dim; i++)
                op_expect_bits(&c, "out", i, &out[i], &x[i % dim]);
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_REPEAT_ROW_AS_MATRIX, 0);
    const float *x = OP_IN(&c, 1, 2, 3);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.repeat_row_as_matrix =
        IFN_ARGS(repeat_row_as_matrix, .out = out, .x = x, .rows = 2, .dim = 3);
    while (op_next(&c))
        OP_EXPECT(&c, out, 1, 2, 3, 1, 2, 3);
}

TEST(a_negative_extent_is_refused)
{
    const ifn_repeat_row_as_matrix_args wrong[] = {
        IFN_ARGS(repeat_row_as_matrix, .rows = -1),
        IFN_ARGS(repeat_row_as_matrix, .dim = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_REPEAT_ROW_AS_MATRIX, i);
        c.args.repeat_row_as_matrix = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
