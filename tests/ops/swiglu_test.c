#include <math.h>

#include <inferno/quant.h>

#include "op_case.h"

enum { APART, OVER_GATE, OVER_UP };

typedef struct gated {
    const float *gate, *up;
    void *out;
    int64_t rows, dim;
} gated;

static gated build(op_case *c, uint64_t seed, int place, ifn_dtype out_dtype)
{
    op_begin(c, IFN_OP_SWIGLU, seed);
    gated t = {.rows = op_size(c, 9), .dim = op_size(c, 150)};
    if (seed % 2)
        t.dim = 32 * op_size(c, 4);
    const int64_t n = t.rows * t.dim;
    t.gate = op_floats(c, n, op_kind(c));
    t.up = op_floats(c, n, op_kind(c));
    if (place == APART)
        t.out = op_output(c, out_dtype == IFN_DTYPE_F32 ? n * 4 : n / 32 * 40);
    else
        t.out = op_in_place(c, place == OVER_GATE ? t.gate : t.up, n * 4);
    c->args.swiglu = IFN_ARGS(swiglu, .out = t.out, .gate = place == OVER_GATE ? t.out : t.gate,
                              .up = place == OVER_UP ? t.out : t.up, .rows = t.rows, .dim = t.dim,
                              .out_dtype = out_dtype);
    op_shape(c, "rows %d, dim %d, place %d, %s", (int)t.rows, (int)t.dim, place,
             ifn_dtype_name(out_dtype));
    return t;
}

/* numerics 6 */
static void expect_element(const op_case *c, int64_t i, float got, float gate, float up)
{
    if (isinf(up)) /* the domain ends at |g*v| = FMAX: silu may have become 0 before it meets up */
        return;
    const double g = (double)gate, v = (double)up, t = exp(-g);
    const double y = (gate == -INFINITY ? (double)NAN : g / (1.0 + t)) * v;
    const double share = isinf(t) ? 1.0 : t / (1.0 + t), floor = g >= -80.0 ? OP_SMIN : 0x1p-119;
    const double bound = (share * 4.0 * OP_U + 5.0 * OP_U) * fabs(y) + floor * fabs(v) +
                         OP_SMIN * (1.0 + fabs(g) + fabs(v));
    op_expect(c, "out", i, got, y, bound);
}

TEST(every_element_is_within_its_bound_and_in_place_is_the_same)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        op_case c;
        const gated t = build(&c, seed, (int)(seed / 2 % 3), IFN_DTYPE_F32);
        const float *out = t.out;
        while (op_next(&c))
            for (int64_t i = 0; i < t.rows * t.dim; i++)
                expect_element(&c, i, out[i], t.gate[i], t.up[i]);
    }
}

TEST(both_places_give_the_bits_of_separate_buffers)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        op_case a, b;
        const gated apart = build(&a, seed, APART, IFN_DTYPE_F32);
        const gated t = build(&b, seed, seed / 2 % 2 ? OVER_GATE : OVER_UP, IFN_DTYPE_F32);
        while (op_next(&a) & op_next(&b))
            op_expect_floats(&b, "out", t.out, apart.out, t.rows * t.dim);
    }
}

TEST(q8_32f_output_is_the_f32_output_quantized)
{
    for (uint64_t seed = 1; seed < 200; seed += 2) {
        op_case a, b;
        const gated f32 = build(&a, seed, APART, IFN_DTYPE_F32);
        const gated q8 = build(&b, seed, APART, IFN_DTYPE_Q8_32F);
        const int64_t n = f32.rows * f32.dim;
        ifn_block_q8_32f blocks[9 * 128 / 32];
        while (op_next(&a) & op_next(&b)) {
            assert_int_equal(ifn_quantize_row(IFN_DTYPE_Q8_32F, f32.out, blocks, n), IFN_OK);
            op_expect_bytes(&b, "out", q8.out, blocks, n / 32 * 40);
        }
    }
}

TEST(special_values)
{
    op_case c;
    op_begin(&c, IFN_OP_SWIGLU, 0);
    const float *gate = OP_IN(&c, -INFINITY, INFINITY, INFINITY, NAN, 0, 200);
    const float *up = OP_IN(&c, 1, 0, -2, 1, 5, 0.5f);
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.swiglu = IFN_ARGS(swiglu, .out = out, .gate = gate, .up = up, .rows = 2, .dim = 3);
    while (op_next(&c))
        OP_EXPECT(&c, out, NAN, NAN, -INFINITY, NAN, 0, 100);
}

TEST(what_does_not_fit_is_refused)
{
    const ifn_swiglu_args wrong[] = {
        IFN_ARGS(swiglu, .rows = -1),
        IFN_ARGS(swiglu, .dim = -1),
        IFN_ARGS(swiglu, .dim = 33, .out_dtype = IFN_DTYPE_Q8_32F),
        IFN_ARGS(swiglu, .dim = 32, .out_dtype = IFN_DTYPE_F16),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_SWIGLU, i);
        c.args.swiglu = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
