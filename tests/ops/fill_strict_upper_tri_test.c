#include <math.h>

#include "op_case.h"

TEST(only_what_lies_above_the_diagonal_is_written)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_FILL_STRICT_UPPER_TRI, seed);
        const int64_t rows = op_size(&c, 40), cols = op_size(&c, 40),
                      offset = op_below(&c, 41) - 20;
        float *x = op_output_some(&c, rows * cols * 4);
        const float value = op_float(&c, OP_PLAIN);
        c.args.fill_strict_upper_tri = IFN_ARGS(fill_strict_upper_tri, .x = x, .value = value,
                                                .rows = rows, .cols = cols, .offset = offset);
        op_shape(&c, "rows %d, cols %d, offset %d", (int)rows, (int)cols, (int)offset);
        while (op_next(&c)) {
            for (int64_t i = 0; i < rows * cols; i++) {
                if (i % cols > i / cols + offset)
                    op_expect_float(&c, "x", i, x[i], value);
                else
                    op_expect_untouched(&c, "below the diagonal", &x[i], sizeof *x);
            }
        }
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_FILL_STRICT_UPPER_TRI, 0);
    float *x = op_in_place(&c, (const float[]){1, 2, 3, 4, -0.0f, 6, 7, 8, 9}, 9 * sizeof *x);
    c.args.fill_strict_upper_tri =
        IFN_ARGS(fill_strict_upper_tri, .x = x, .value = -INFINITY, .rows = 3, .cols = 3);
    while (op_next(&c))
        OP_EXPECT(&c, x, 1, -INFINITY, -INFINITY, 4, -0.0f, -INFINITY, 7, 8, 9);
}

TEST(the_largest_offsets_do_not_overflow)
{
    static const int64_t offsets[] = {INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < N_OF(offsets); i++) {
        op_case c;
        op_begin(&c, IFN_OP_FILL_STRICT_UPPER_TRI, i);
        float *x = op_in_place(&c, (const float[]){1, 2, 3, 4}, 4 * sizeof *x);
        c.args.fill_strict_upper_tri = IFN_ARGS(fill_strict_upper_tri, .x = x, .value = 9,
                                                .rows = 2, .cols = 2, .offset = offsets[i]);
        while (op_next(&c)) {
            if (offsets[i] > 0)
                OP_EXPECT(&c, x, 1, 2, 3, 4);
            else
                OP_EXPECT(&c, x, 9, 9, 9, 9);
        }
    }
}

TEST(a_negative_extent_is_refused)
{
    const ifn_fill_strict_upper_tri_args wrong[] = {
        IFN_ARGS(fill_strict_upper_tri, .rows = -1),
        IFN_ARGS(fill_strict_upper_tri, .cols = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_FILL_STRICT_UPPER_TRI, i);
        c.args.fill_strict_upper_tri = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
