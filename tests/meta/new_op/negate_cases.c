#include <math.h>

#include "op_case.h"

TEST(every_element_changes_its_sign)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_NEGATE, seed);
        const int64_t n = op_size(&c, 100), in_place = op_below(&c, 2);
        const float *x = op_floats(&c, n, op_kind(&c));
        float *out = in_place ? op_in_place(&c, x, n * 4) : op_output(&c, n * 4);
        c.args.negate = IFN_ARGS(negate, .out = out, .x = in_place ? out : x, .n = n);
        op_shape(&c, "n %d, in place %d", (int)n, (int)in_place);
        while (op_next(&c))
            for (int64_t i = 0; i < n; i++)
                op_expect_float(&c, "out", i, out[i], -x[i]);
    }
}

TEST(a_negative_length_is_refused)
{
    op_case c;
    op_begin(&c, IFN_OP_NEGATE, 0);
    c.args.negate = IFN_ARGS(negate, .n = -1);
    op_expect_status(&c, IFN_ERR_SHAPE);
}
