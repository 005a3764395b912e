#include <math.h>

#include <inferno/quant.h>

#include "op_case.h"

enum { SUM_NONE, SUM_APART, SUM_OVER_X, SUM_OVER_ADD, OUT_OVER_X, N_PLACES };

typedef struct norm {
    const float *x, *add, *weight; /* add may be NULL */
    float *sum;
    void *out;
    int64_t rows, dim;
    float eps;
} norm;

/* Builds the same data for every place and out_dtype of a seed. */
static norm build(op_case *c, uint64_t seed, int place, ifn_dtype out_dtype)
{
    static const float epsilons[] = {0, 1e-6f, 1e-5f, 1};
    op_begin(c, IFN_OP_RMS_NORM, seed);
    norm t = {.rows = op_size(c, 9), .dim = 1 + op_size(c, 150)};
    if (seed % 2)
        t.dim = 32 * (1 + op_size(c, 4));
    const int64_t n = t.rows * t.dim;
    const op_floats_kind kind = op_below(c, 2) ? OP_PLAIN : OP_WIDE;
    t.x = op_floats(c, n, kind);
    t.weight = op_floats(c, t.dim, OP_PLAIN);
    t.add = seed / 2 % 2 ? op_floats(c, n, kind) : NULL;
    t.eps = epsilons[op_below(c, N_OF(epsilons))];
    const float *x = t.x, *add = t.add;
    if (place == OUT_OVER_X)
        x = t.out = op_in_place(c, x, n * 4);
    else
        t.out = op_output(c, out_dtype == IFN_DTYPE_F32 ? n * 4 : n / 32 * 40);
    if (place == SUM_OVER_X)
        x = t.sum = op_in_place(c, x, n * 4);
    else if (place == SUM_OVER_ADD && add)
        add = t.sum = op_in_place(c, add, n * 4);
    else if (place == SUM_APART)
        t.sum = op_output(c, n * 4);
    c->args.rms_norm =
        IFN_ARGS(rms_norm, .out = t.out, .sum = t.sum, .x = x, .add = add, .weight = t.weight,
                 .rows = t.rows, .dim = t.dim, .eps = t.eps, .out_dtype = out_dtype);
    op_shape(c, "rows %d, dim %d, eps %g, place %d, %s, %s", (int)t.rows, (int)t.dim, (double)t.eps,
             place, t.add ? "residual" : "no residual", ifn_dtype_name(out_dtype));
    return t;
}

/* numerics 7.5 */
static void expect_row(const op_case *c, const norm *t, const float *out, int64_t row)
{
    float s[256];
    op_sum squares = {0};
    for (int64_t i = t->dim - 1; i >= 0; i--) {
        const int64_t at = row * t->dim + i;
        s[i] = t->add ? t->x[at] + t->add[at] : t->x[at];
        op_add(&squares, (double)s[i] * (double)s[i]);
        if (t->sum)
            op_expect_float(c, "sum", at, t->sum[at], s[i]);
    }
    const double v = op_value(&squares) / (double)t->dim + (double)t->eps, r = 1.0 / sqrt(v);
    const double relative = op_gamma((double)t->dim) / 2.0 + 6.0 * OP_U + OP_SMIN / v;
    for (int64_t i = 0; i < t->dim; i++) {
        const double x = (double)s[i], w = (double)t->weight[i], y = x * r * w;
        const double floor = OP_SMIN * (1.0 + fabs(w) + fabs(x) + r);
        op_expect(c, "out", row * t->dim + i, out[row * t->dim + i], y, relative * fabs(y) + floor);
    }
}

TEST(every_row_is_within_its_bound_wherever_the_sum_goes)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        norm t = build(&c, seed, (int)(seed / 4 % OUT_OVER_X), IFN_DTYPE_F32);
        while (op_next(&c))
            for (int64_t r = 0; r < t.rows; r++)
                expect_row(&c, &t, t.out, r);
    }
}

TEST(every_place_gives_the_bits_of_separate_buffers)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        for (int place = SUM_APART; place < N_PLACES; place++) {
            op_case a, b;
            norm apart = build(&a, seed, SUM_NONE, IFN_DTYPE_F32);
            norm t = build(&b, seed, place, IFN_DTYPE_F32);
            while (op_next(&a) & op_next(&b))
                op_expect_bytes(&b, "out", t.out, apart.out, t.rows * t.dim * 4);
        }
    }
}

TEST(q8_32f_output_is_the_f32_output_quantized)
{
    for (uint64_t seed = 1; seed < 200; seed += 2) {
        op_case a, b;
        norm f32 = build(&a, seed, SUM_NONE, IFN_DTYPE_F32);
        norm q8 = build(&b, seed, (int)(seed / 4 % OUT_OVER_X), IFN_DTYPE_Q8_32F);
        const int64_t n = f32.rows * f32.dim;
        ifn_block_q8_32f blocks[9 * 160 / 32];
        while (op_next(&a) & op_next(&b)) {
            assert_int_equal(ifn_quantize_row(IFN_DTYPE_Q8_32F, f32.out, blocks, n), IFN_OK);
            op_expect_bytes(&b, "out", q8.out, blocks, n / 32 * 40);
        }
    }
}

TEST(special_rows)
{
    op_case c;
    op_begin(&c, IFN_OP_RMS_NORM, 0);
    const float *x = OP_IN(&c, INFINITY, 1, NAN, 1, 0, 0, 3, -3);
    const float *weight = OP_IN(&c, 2, 1);
    float *out = op_output(&c, 8 * sizeof *out);
    c.args.rms_norm = IFN_ARGS(rms_norm, .out = out, .x = x, .weight = weight, .rows = 4, .dim = 2);
    while (op_next(&c))
        OP_EXPECT(&c, out, NAN, 0, NAN, NAN, NAN, NAN, 2, -1);
}

TEST(an_empty_row_a_negative_eps_or_another_dtype_is_refused)
{
    const ifn_rms_norm_args wrong[] = {
        IFN_ARGS(rms_norm, .dim = 0),
        IFN_ARGS(rms_norm, .dim = 1, .rows = -1),
        IFN_ARGS(rms_norm, .dim = 1, .eps = -1e-6f),
        IFN_ARGS(rms_norm, .dim = 1, .eps = NAN),
        IFN_ARGS(rms_norm, .dim = 33, .out_dtype = IFN_DTYPE_Q8_32F),
        IFN_ARGS(rms_norm, .dim = 32, .out_dtype = IFN_DTYPE_Q8_0),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_RMS_NORM, i);
        c.args.rms_norm = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
