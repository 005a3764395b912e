#include "op_case.h"

TEST(every_row_repeats_its_scalar)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_BROADCAST_ROW_SCALARS, seed);
        const int64_t rows = op_size(&c, 40), dim = op_size(&c, 40);
        const float *x = op_floats(&c, rows, OP_BITS);
        float *out = op_output(&c, rows * dim * 4);
        c.args.broadcast_row_scalars =
            IFN_ARGS(broadcast_row_scalars, .out = out, .x = x, .rows = rows, .dim = dim);
        op_shape(&c, "rows %d, dim %d", (int)rows, (int)dim);
        while (op_next(&c))
            for (int64_t i = 0; i < rows * dim; i++)
                op_expect_bits(&c, "out", i, &out[i], &x[i / dim]);
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_BROADCAST_ROW_SCALARS, 0);
    const float *x = OP_IN(&c, 1, 2);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.broadcast_row_scalars =
        IFN_ARGS(broadcast_row_scalars, .out = out, .x = x, .rows = 2, .dim = 3);
    while (op_next(&c))
        OP_EXPECT(&c, out, 1, 1, 1, 2, 2, 2);
}

TEST(a_negative_extent_is_refused)
{
    const ifn_broadcast_row_scalars_args wrong[] = {
        IFN_ARGS(broadcast_row_scalars, .rows = -1),
        IFN_ARGS(broadcast_row_scalars, .dim = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_BROADCAST_ROW_SCALARS, i);
        c.args.broadcast_row_scalars = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
