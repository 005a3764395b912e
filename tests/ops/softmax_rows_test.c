#include <math.h>
#include <stdlib.h>

#include "op_case.h"

/* numerics 7.4 */
static void expect_row(const op_case *c, const float *x, const float *out, int64_t n)
{
    double max = (double)-INFINITY, sum = 0.0, spread = 0.0;
    for (int64_t i = 0; i < n; i++)
        max = fmax(max, (double)x[i]);
    for (int64_t i = n - 1; i >= 0; i--)
        sum += exp((double)x[i] - max);
    for (int64_t i = 0; i < n; i++)
        spread += exp((double)x[i] - max) / sum * (max - (double)x[i]);
    for (int64_t i = 0; i < n; i++) {
        const double distance = max - (double)x[i], want = exp(-distance) / sum;
        const double r = OP_U * distance + OP_U * spread + 8.0 * OP_U + op_gamma((double)n + 1.0);
        op_expect(c, "out", i, out[i], want, (want > 0.0 ? want * expm1(r) : 0.0) + 0x1p-125);
    }
}

TEST(every_row_is_within_its_bound_and_in_place_is_the_same)
{
    static const float scales[] = {0x1p-10f, 1, 0x1p4f, 0x1p20f};
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        op_begin(&c, IFN_OP_SOFTMAX_ROWS, seed);
        const int64_t rows = op_size(&c, 20), cols = op_size(&c, 150), in_place = op_below(&c, 2);
        const float scale = scales[op_below(&c, N_OF(scales))];
        float *data = malloc((size_t)(rows * cols) * sizeof *data + 1);
        for (int64_t i = 0; i < rows * cols; i++)
            data[i] = scale * op_float(&c, OP_PLAIN);
        const float *x = op_input(&c, data, rows * cols * 4);
        float *out =
            in_place ? op_in_place(&c, x, rows * cols * 4) : op_output(&c, rows * cols * 4);
        c.args.softmax_rows =
            IFN_ARGS(softmax_rows, .out = out, .x = in_place ? out : x, .rows = rows, .cols = cols);
        op_shape(&c, "rows %d, cols %d, scale %g", (int)rows, (int)cols, (double)scale);
        while (op_next(&c))
            for (int64_t r = 0; r < rows; r++)
                expect_row(&c, op_at(x, r * cols), op_at(out, r * cols), cols);
        free(data);
    }
}

TEST(special_rows)
{
    op_case c;
    op_begin(&c, IFN_OP_SOFTMAX_ROWS, 0);
    const float *x = OP_IN(&c, -INFINITY, -INFINITY, 1, INFINITY, NAN, 1, 5, -INFINITY, NAN,
                           -INFINITY, 3e38f, -3e38f, 7, 7);
    float *out = op_output(&c, 14 * sizeof *out);
    c.args.softmax_rows = IFN_ARGS(softmax_rows, .out = out, .x = x, .rows = 7, .cols = 2);
    while (op_next(&c))
        OP_EXPECT(&c, out, NAN, NAN, NAN, NAN, NAN, NAN, 1, 0, NAN, NAN, 1, 0, 0.5f, 0.5f);
}

TEST(a_negative_extent_is_refused)
{
    const ifn_softmax_rows_args wrong[] = {
        IFN_ARGS(softmax_rows, .rows = -1),
        IFN_ARGS(softmax_rows, .cols = -1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_SOFTMAX_ROWS, i);
        c.args.softmax_rows = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
