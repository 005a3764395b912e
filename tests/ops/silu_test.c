#include <math.h>

#include "op_case.h"

/* numerics 6: (t/(1+t)*eps_e + 4u)*|y| + f(x), t = e^-x */
static void expect_silu(const op_case *c, int64_t i, float got, float x)
{
    if (isnan(x) || x == -INFINITY) {
        op_expect(c, "out", i, got, (double)NAN, 0.0);
        return;
    }
    const double t = exp(-(double)x), y = (double)x / (1.0 + t),
                 share = isinf(t) ? 1.0 : t / (1.0 + t);
    const double floor = x >= -80.0f ? OP_SMIN : 0x1p-119;
    op_expect(c, "out", i, got, y, (share * 4.0 * OP_U + 4.0 * OP_U) * fabs(y) + floor);
}

TEST(every_element_is_within_its_bound_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_SILU, seed);
        const int64_t n = op_size(&c, 100), in_place = op_below(&c, 2);
        const float *x = op_floats(&c, n, op_kind(&c));
        float *out = in_place ? op_in_place(&c, x, n * 4) : op_output(&c, n * 4);
        c.args.silu = IFN_ARGS(silu, .out = out, .x = in_place ? out : x, .n = n);
        op_shape(&c, "n %d, in place %d", (int)n, (int)in_place);
        while (op_next(&c))
            for (int64_t i = 0; i < n; i++)
                expect_silu(&c, i, out[i], x[i]);
    }
}

TEST(the_whole_range_of_the_exponential_is_within_bounds)
{
    enum { N = 4001 };
    float grid[N];
    for (int i = 0; i < N; i++)
        grid[i] = (float)(i - N / 2) * 0.06f; /* -120 .. 120 */
    op_case c;
    op_begin(&c, IFN_OP_SILU, 0);
    const float *x = op_input(&c, grid, sizeof grid);
    float *out = op_output(&c, sizeof grid);
    c.args.silu = IFN_ARGS(silu, .out = out, .x = x, .n = N);
    while (op_next(&c))
        for (int i = 0; i < N; i++)
            expect_silu(&c, i, out[i], x[i]);
}

TEST(special_values)
{
    op_case c;
    op_begin(&c, IFN_OP_SILU, 0);
    const float *x = OP_IN(&c, 0, -0.0f, INFINITY, -INFINITY, NAN, 200);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.silu = IFN_ARGS(silu, .out = out, .x = x, .n = 6);
    while (op_next(&c))
        OP_EXPECT(&c, out, 0, -0.0f, INFINITY, NAN, NAN, 200);
}

TEST(a_negative_length_is_refused)
{
    op_case c;
    op_begin(&c, IFN_OP_SILU, 0);
    c.args.silu = IFN_ARGS(silu, .n = -1);
    op_expect_status(&c, IFN_ERR_SHAPE);
}
