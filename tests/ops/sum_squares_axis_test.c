#include <math.h>

#include "op_case.h"

typedef struct squares {
    const float *x;
    float *out;
    int64_t rows, cols, axis, n, length;
} squares;

static squares build(op_case *c, uint64_t seed, op_floats_kind kind)
{
    op_begin(c, IFN_OP_SUM_SQUARES_AXIS, seed);
    squares t = {.rows = op_size(c, 80), .cols = op_size(c, 80), .axis = op_below(c, 2)};
    t.n = t.axis ? t.rows : t.cols;
    t.length = t.axis ? t.cols : t.rows;
    t.x = op_floats(c, t.rows * t.cols, kind);
    t.out = op_output(c, t.n * 4);
    c->args.sum_squares_axis = IFN_ARGS(sum_squares_axis, .out = t.out, .x = t.x, .rows = t.rows,
                                        .cols = t.cols, .axis = (int32_t)t.axis);
    op_shape(c, "rows %d, cols %d, axis %d", (int)t.rows, (int)t.cols, (int)t.axis);
    return t;
}

static void expect_squares(const op_case *c, const squares *t, int exact)
{
    for (int64_t i = 0; i < t->n; i++) {
        op_sum s = {0};
        for (int64_t j = t->length - 1; j >= 0; j--) {
            const double x = (double)t->x[t->axis ? i * t->cols + j : j * t->cols + i];
            op_add(&s, x * x);
        }
        const double bound =
            op_gamma((double)t->length) * s.magnitudes + (double)t->length * OP_SMIN;
        op_expect(c, "out", i, t->out[i], op_value(&s), exact ? 0 : bound);
    }
}

TEST(every_sum_is_within_its_bound)
{
    static const op_floats_kind kinds[] = {OP_PLAIN, OP_WIDE, OP_TINY};
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        const squares t = build(&c, seed, kinds[seed % N_OF(kinds)]);
        while (op_next(&c))
            expect_squares(&c, &t, 0);
    }
}

TEST(squares_of_integers_are_exact)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        op_case c;
        const squares t = build(&c, seed, OP_LATTICE);
        while (op_next(&c))
            expect_squares(&c, &t, 1);
    }
}

TEST(special_values)
{
    op_case c;
    op_begin(&c, IFN_OP_SUM_SQUARES_AXIS, 0);
    const float *x = OP_IN(&c, 1, -2, -INFINITY, 3, NAN, INFINITY, 0x1p100f, 1);
    float *out = op_output(&c, 4 * sizeof *out);
    c.args.sum_squares_axis =
        IFN_ARGS(sum_squares_axis, .out = out, .x = x, .rows = 4, .cols = 2, .axis = 1);
    while (op_next(&c))
        OP_EXPECT(&c, out, 5, INFINITY, NAN, INFINITY);
}

TEST(another_axis_or_a_negative_extent_is_refused)
{
    const ifn_sum_squares_axis_args wrong[] = {
        IFN_ARGS(sum_squares_axis, .axis = 2),
        IFN_ARGS(sum_squares_axis, .axis = -1),
        IFN_ARGS(sum_squares_axis, .rows = -1),
        IFN_ARGS(sum_squares_axis, .cols = -1, .axis = 1),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_SUM_SQUARES_AXIS, i);
        c.args.sum_squares_axis = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
