#include <math.h>

#include "op_case.h"

TEST(every_element_is_rounded_once_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_ADD_SCALAR, seed);
        const int64_t n = op_size(&c, 100), in_place = op_below(&c, 2);
        const float *x = op_floats(&c, n, op_kind(&c)), value = op_float(&c, op_kind(&c));
        float *out = in_place ? op_in_place(&c, x, n * 4) : op_output(&c, n * 4);
        c.args.add_scalar =
            IFN_ARGS(add_scalar, .out = out, .x = in_place ? out : x, .value = value, .n = n);
        op_shape(&c, "n %d, value %a, in place %d", (int)n, (double)value, (int)in_place);
        while (op_next(&c))
            for (int64_t i = 0; i < n;
                 i++) /* f64 is wide enough: rounding twice is rounding once */
                op_expect_float(&c, "out", i, out[i], (float)((double)x[i] + (double)value));
    }
}

TEST(known_values)
{
    op_case c;
    op_begin(&c, IFN_OP_ADD_SCALAR, 0);
    const float *x = OP_IN(&c, 3, -1, INFINITY, NAN, 0x1p24f, 0x1.000002p24f);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.add_scalar = IFN_ARGS(add_scalar, .out = out, .x = x, .value = 1, .n = 6);
    while (op_next(&c))
        OP_EXPECT(&c, out, 4, 0, INFINITY, NAN, 0x1p24f, 0x1.000004p24f);
}

TEST(a_negative_length_is_refused)
{
    op_case c;
    op_begin(&c, IFN_OP_ADD_SCALAR, 0);
    c.args.add_scalar = IFN_ARGS(add_scalar, .n = -1);
    op_expect_status(&c, IFN_ERR_SHAPE);
}
