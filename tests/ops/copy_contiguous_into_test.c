#include "op_case.h"

TEST(the_run_is_written_and_nothing_else)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_CONTIGUOUS_INTO, seed);
        const int64_t n = op_size(&c, 70), before = op_size(&c, 9),
                      out_n = before + n + op_size(&c, 9);
        const float *x = op_floats(&c, n, OP_BITS);
        float *out = op_output_some(&c, out_n * 4);
        c.args.copy_contiguous_into = IFN_ARGS(copy_contiguous_into, .out = out, .x = x, .n = n,
                                               .out_n = out_n, .out_offset = before);
        op_shape(&c, "n %d at %d of %d", (int)n, (int)before, (int)out_n);
        while (op_next(&c)) {
            for (int64_t i = 0; i < n; i++)
                op_expect_bits(&c, "x", i, &out[before + i], &x[i]);
            for (int64_t i = 0; i < out_n; i++)
                if (i < before || i >= before + n)
                    op_expect_untouched(&c, "beside the run", &out[i], sizeof *out);
        }
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_COPY_CONTIGUOUS_INTO, 0);
    const float *x = OP_IN(&c, 1, 2);
    float *out = op_in_place(&c, (const float[]){9, 8, 7, 6}, 4 * sizeof *out);
    c.args.copy_contiguous_into =
        IFN_ARGS(copy_contiguous_into, .out = out, .x = x, .n = 2, .out_n = 4, .out_offset = 1);
    while (op_next(&c))
        OP_EXPECT(&c, out, 9, 1, 2, 6);
}

TEST(a_run_outside_the_buffer_is_refused)
{
    const ifn_copy_contiguous_into_args wrong[] = {
        IFN_ARGS(copy_contiguous_into, .n = 2, .out_n = 3, .out_offset = 2),
        IFN_ARGS(copy_contiguous_into, .n = 2, .out_n = 3, .out_offset = -1),
        IFN_ARGS(copy_contiguous_into, .n = -1, .out_n = 3),
        IFN_ARGS(copy_contiguous_into, .n = 1, .out_n = 3, .out_offset = INT64_MAX),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_COPY_CONTIGUOUS_INTO, i);
        c.args.copy_contiguous_into = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
