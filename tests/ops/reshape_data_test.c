#include "op_case.h"

TEST(elements_keep_their_order_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_RESHAPE_DATA, seed);
        const int64_t rows = op_size(&c, 40), cols = op_size(&c, 40), in_place = op_below(&c, 2);
        const float *x = op_floats(&c, rows * cols, OP_BITS);
        float *out =
            in_place ? op_in_place(&c, x, rows * cols * 4) : op_output(&c, rows * cols * 4);
        c.args.reshape_data =
            IFN_ARGS(reshape_data, .out = out, .x = in_place ? out : x, .rows = rows, .cols = cols,
                     .out_rows = cols, .out_cols = rows);
        op_shape(&c, "rows %d, cols %d, in place %d", (int)rows, (int)cols, (int)in_place);
        while (op_next(&c))
            for (int64_t i = 0; i < rows * cols; i++)
                op_expect_bits(&c, "out", i, &out[i], &x[i]);
    }
}

TEST(shapes_of_different_size_are_refused)
{
    const ifn_reshape_data_args wrong[] = {
        IFN_ARGS(reshape_data, .rows = 2, .cols = 3, .out_rows = 5, .out_cols = 1),
        IFN_ARGS(reshape_data, .rows = -2, .cols = -3, .out_rows = 6, .out_cols = 1),
        IFN_ARGS(reshape_data, .rows = 2, .cols = 3, .out_rows = -2, .out_cols = -3),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_RESHAPE_DATA, i);
        c.args.reshape_data = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
