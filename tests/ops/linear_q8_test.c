#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op_weights.h"

typedef struct product {
    const ifn_block_q8_32f *x;
    int64_t rows, k, x_stride, n_w;
    op_weights w[IFN_LINEAR_MAX];
    float *out[IFN_LINEAR_MAX];
    const float *bias[IFN_LINEAR_MAX];
    int64_t out_stride[IFN_LINEAR_MAX];
} product;

/* Rows are x_stride apart, with NaN blocks between them, which the op must not use. */
static const ifn_block_q8_32f *build_x(op_case *c, const product *t, op_scales scales)
{
    const int64_t row = t->k / 32, n = t->rows > 0 ? (t->rows - 1) * t->x_stride + row : 0;
    ifn_block_q8_32f *const x = calloc((size_t)n + 1, sizeof *x);
    op_activations(c, x, n, scales);
    for (int64_t i = 0; i < n; i++)
        if (i % t->x_stride >= row)
            x[i].d = NAN;
    const ifn_block_q8_32f *const input = op_input(c, x, (size_t)n * sizeof *x);
    free(x);
    return input;
}

static void add_weight(op_case *c, product *t, ifn_dtype dtype, op_scales scales)
{
    const int64_t i = t->n_w++, n = op_size(c, 20);
    op_weights_init(&t->w[i], c, dtype, n, t->k, scales);
    if (op_below(c, 2))
        t->bias[i] = op_floats(c, n, scales == OP_SCALES_ONE ? OP_LATTICE : OP_PLAIN);
    t->out_stride[i] = n + op_below(c, 3);
    t->out[i] = op_output_some(c, t->rows > 0 ? ((t->rows - 1) * t->out_stride[i] + n) * 4 : 0);
}

static ifn_dtype quantized(uint64_t i)
{
    return (ifn_dtype)(IFN_DTYPE_Q8_0 + i % (IFN_DTYPE_Q8_32F - IFN_DTYPE_Q8_0));
}

/* The seed chooses the first dtype; the other weights share its k. */
static product build(op_case *c, uint64_t seed, op_scales scales)
{
    const ifn_dtype dtype = quantized(seed);
    const int64_t block = ifn_dtype_block_elements(dtype), n_w = 1 + (int64_t)(seed / 10 % 4);
    op_begin(c, IFN_OP_LINEAR_Q8, seed);
    product t = {.rows = op_size(c, 9), .k = block * op_size(c, 512 / block)};
    t.x_stride = t.k / 32 + op_below(c, 3);
    t.x = build_x(c, &t, scales);
    add_weight(c, &t, dtype, scales);
    while (t.n_w < n_w) {
        const ifn_dtype other = quantized((uint64_t)op_below(c, 10));
        if (t.k % ifn_dtype_block_elements(other) == 0)
            add_weight(c, &t, other, scales);
    }
    c->args.linear_q8 = IFN_ARGS(linear_q8, .x = t.x, .rows = t.rows, .k = t.k,
                                 .x_stride = t.x_stride, .n_w = t.n_w);
    for (int64_t i = 0; i < t.n_w; i++) {
        c->args.linear_q8.out[i] = t.out[i];
        c->args.linear_q8.bias[i] = t.bias[i];
        c->args.linear_q8.out_stride[i] = t.out_stride[i];
    }
    op_shape(c, "%s and %d more, rows %d, k %d", ifn_dtype_name(dtype), (int)t.n_w - 1, (int)t.rows,
             (int)t.k);
    return t;
}

/* The tensors are in the struct itself, so only its owner knows their addresses. */
static void point_at_weights(op_case *c, const product *t)
{
    for (int64_t i = 0; i < t->n_w; i++)
        c->args.linear_q8.w[i] = &t->w[i].tensor;
}

static void fini(product *t)
{
    for (int64_t i = 0; i < t->n_w; i++)
        op_weights_fini(&t->w[i]);
}

static void expect_product(const op_case *c, const product *t, op_scales scales)
{
    for (int64_t i = 0; i < t->n_w; i++) {
        const int64_t n = t->w[i].tensor.shape[0];
        for (int64_t row = 0; row < t->rows; row++) {
            const float *const out = op_at(t->out[i], row * t->out_stride[i]);
            for (int64_t f = 0; f < n; f++)
                op_expect_dot(c, &t->w[i], f, t->x ? t->x + row * t->x_stride : NULL,
                              t->bias[i] ? t->bias[i] + f : NULL, scales, out[f]);
            if (row + 1 < t->rows)
                op_expect_untouched(c, "between rows", op_at(out, n),
                                    (size_t)(t->out_stride[i] - n) * sizeof(float));
        }
    }
}

static void check_seeds(uint64_t n, op_scales scales)
{
    for (uint64_t seed = 0; seed < n; seed++) {
        op_case c;
        product t = build(&c, seed, scales);
        point_at_weights(&c, &t);
        while (op_next(&c))
            expect_product(&c, &t, scales);
        fini(&t);
    }
}

TEST(every_dtype_is_within_the_bound_of_its_sums)
{
    check_seeds(300, OP_SCALES_ANY);
}

TEST(integers_are_multiplied_exactly)
{
    check_seeds(100, OP_SCALES_ONE);
}

TEST(a_row_alone_has_the_bits_it_has_among_others)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        op_case batch, one;
        product t = build(&batch, seed, OP_SCALES_ANY);
        point_at_weights(&batch, &t);
        if (t.rows == 0) {
            op_end(&batch);
            fini(&t);
            continue;
        }
        op_begin(&one, IFN_OP_LINEAR_Q8, seed);
        const int64_t row = op_below(&one, t.rows), n = t.w[0].tensor.shape[0];
        float *out = op_output(&one, n * 4);
        one.args.linear_q8 =
            IFN_ARGS(linear_q8, .x = t.x ? t.x + row * t.x_stride : NULL, .rows = 1, .k = t.k,
                     .x_stride = t.k / 32, .n_w = 1, .w = {&t.w[0].tensor}, .out = {out},
                     .bias = {t.bias[0]}, .out_stride = {n});
        while (op_next(&batch) & op_next(&one))
            op_expect_bytes(&one, "out", out, op_at(t.out[0], row * t.out_stride[0]), n * 4);
        fini(&t);
    }
}

TEST(a_nan_block_makes_its_row_nan_and_no_other)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR_Q8, 0);
    ifn_block_q8_32f blocks[3] = {
        {.d = 1, .s = 5, .qs = {5}}, {.d = NAN}, {.d = 2, .s = 5, .qs = {5}}};
    const ifn_block_q8_0 weight = {.d = 0x3c00, .qs = {7}};
    const ifn_tensor w = {"w", op_input(&c, &weight, sizeof weight), IFN_DTYPE_Q8_0, 2, {1, 32}};
    float *out = op_output(&c, 3 * sizeof *out);
    c.args.linear_q8 =
        IFN_ARGS(linear_q8, .x = op_input(&c, blocks, sizeof blocks), .rows = 3, .k = 32,
                 .x_stride = 1, .n_w = 1, .w = {&w}, .out = {out}, .out_stride = {1});
    while (op_next(&c))
        OP_EXPECT(&c, out, 35, NAN, 70);
}

TEST(what_is_not_quantized_or_does_not_fit_is_refused)
{
    const ifn_tensor w = {"w", NULL, IFN_DTYPE_Q8_0, 2, {0, 32}};
    const ifn_tensor f16 = {"f16", NULL, IFN_DTYPE_F16, 2, {0, 32}};
    const ifn_tensor ragged = {"ragged", NULL, IFN_DTYPE_F32, 2, {0, 33}};
    const ifn_tensor unknown = {"unknown", NULL, IFN_DTYPE_COUNT, 2, {0, 0}};
    const ifn_linear_q8_args wrong[] = {
        IFN_ARGS(linear_q8, .k = 32, .x_stride = 1, .n_w = 0, .w = {&w}),
        IFN_ARGS(linear_q8, .k = 32, .x_stride = 0, .n_w = 1, .w = {&w}),
        IFN_ARGS(linear_q8, .k = 64, .x_stride = 2, .n_w = 1, .w = {&w}),
        IFN_ARGS(linear_q8, .k = 32, .x_stride = 1, .n_w = 1, .w = {&w}, .rows = -1),
        IFN_ARGS(linear_q8, .k = 32, .x_stride = 1, .n_w = 2, .w = {&w, &f16}),
        IFN_ARGS(linear_q8, .k = 0, .x_stride = 0, .n_w = 1, .w = {&unknown}),
        IFN_ARGS(linear_q8, .k = 33, .x_stride = 2, .n_w = 1, .w = {&ragged}),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR_Q8, i);
        c.args.linear_q8 = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
