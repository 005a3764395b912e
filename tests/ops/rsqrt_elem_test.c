#include <math.h>

#include "op_case.h"

TEST(every_element_is_within_two_roundings_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_RSQRT_ELEM, seed);
        const int64_t n = op_size(&c, 100), in_place = op_below(&c, 2);
        const float *x = op_floats(&c, n, op_kind(&c));
        float *out = in_place ? op_in_place(&c, x, n * 4) : op_output(&c, n * 4);
        c.args.rsqrt_elem = IFN_ARGS(rsqrt_elem, .out = out, .x = in_place ? out : x, .n = n);
        op_shape(&c, "n %d, in place %d", (int)n, (int)in_place);
        while (op_next(&c)) {
            for (int64_t i = 0; i < n; i++) {
                const double want = 1.0 / sqrt((double)x[i]);
                op_expect(&c, "out", i, out[i], want, 2.0 * OP_U * want);
            }
        }
    }
}

TEST(special_values)
{
    op_case c;
    op_begin(&c, IFN_OP_RSQRT_ELEM, 0);
    const float *x = OP_IN(&c, 4, 0.25f, 0, -0.0f, -1, -INFINITY, INFINITY, NAN, 0x1p-148f);
    float *out = op_output(&c, 9 * sizeof *out);
    c.args.rsqrt_elem = IFN_ARGS(rsqrt_elem, .out = out, .x = x, .n = 9);
    while (op_next(&c))
        OP_EXPECT(&c, out, 0.5f, 2, INFINITY, -INFINITY, NAN, NAN, 0, NAN, 0x1p74f);
}

TEST(a_negative_length_is_refused)
{
    op_case c;
    op_begin(&c, IFN_OP_RSQRT_ELEM, 0);
    c.args.rsqrt_elem = IFN_ARGS(rsqrt_elem, .n = -1);
    op_expect_status(&c, IFN_ERR_SHAPE);
}
