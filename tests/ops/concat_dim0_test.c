#include "op_case.h"

TEST(one_matrix_lies_under_the_other)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_CONCAT_DIM0, seed);
        const int64_t a_rows = op_size(&c, 20), b_rows = op_size(&c, 20), cols = op_size(&c, 40);
        const float *a = op_floats(&c, a_rows * cols, OP_BITS);
        const float *b = op_floats(&c, b_rows * cols, OP_BITS);
        float *out = op_output(&c, (a_rows + b_rows) * cols * 4);
        c.args.concat_dim0 = IFN_ARGS(concat_dim0, .out = out, .a = a, .b = b, .a_rows = a_rows,
                                      .b_rows = b_rows, .cols = cols);
        op_shape(&c, "rows %d and %d, cols %d", (int)a_rows, (int)b_rows, (int)cols);
        while (op_next(&c)) {
            for (int64_t i = 0; i < a_rows * cols; i++)
                op_expect_bits(&c, "a", i, &out[i], &a[i]);
            for (int64_t i = 0; i < b_rows * cols; i++)
                op_expect_bits(&c, "b", i, &out[a_rows * cols + i], &b[i]);
        }
    }
}

TEST(a_negative_extent_is_refused)
{
    const ifn_concat_dim0_args wrong[] = {
        IFN_ARGS(concat_dim0, .a_rows = -1),
        IFN_ARGS(concat_dim0, .b_rows = -1),
        IFN_ARGS(concat_dim0, .cols = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_CONCAT_DIM0, i);
        c.args.concat_dim0 = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
