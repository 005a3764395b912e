#include <math.h>

#include "op_case.h"

TEST(every_element_is_rounded_once_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_HADAMARD, seed);
        const int64_t n = op_size(&c, 100), place = op_below(&c, 3);
        const float *x = op_floats(&c, n, op_kind(&c)), *y = op_floats(&c, n, op_kind(&c));
        float *out = place == 0 ? op_output(&c, n * 4) : op_in_place(&c, place == 1 ? x : y, n * 4);
        c.args.hadamard = IFN_ARGS(hadamard, .out = out, .x = place == 1 ? out : x,
                                   .y = place == 2 ? out : y, .n = n);
        op_shape(&c, "n %d, place %d", (int)n, (int)place);
        while (op_next(&c))
            for (int64_t i = 0; i < n;
                 i++) /* f64 is wide enough: rounding twice is rounding once */
                op_expect_float(&c, "out", i, out[i], (float)((double)x[i] * (double)y[i]));
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_HADAMARD, 0);
    const float *x = OP_IN(&c, 1.5f, -0.0f, INFINITY, 0x1p-100f, 0x1p100f, 0x1.000002p0f);
    const float *y = OP_IN(&c, 2, 3, 0, 0x1p-49f, 0x1p100f, 0x1.000002p0f);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.hadamard = IFN_ARGS(hadamard, .out = out, .x = x, .y = y, .n = 6);
    while (op_next(&c))
        OP_EXPECT(&c, out, 3, -0.0f, NAN, 0x1p-149f, INFINITY, 0x1.000004p0f);
}

TEST(a_negative_length_is_refused)
{
    op_case c;
    op_begin(&c, IFN_OP_HADAMARD, 0);
    c.args.hadamard = IFN_ARGS(hadamard, .n = -1);
    op_expect_status(&c, IFN_ERR_SHAPE);
}
