#include <math.h>
#include <stdlib.h>

#include "op_weights.h"

typedef struct product {
    const float *x;
    int64_t rows, k, x_stride, n_w;
    op_weights w[IFN_LINEAR_MAX];
    float *out[IFN_LINEAR_MAX];
    const float *bias[IFN_LINEAR_MAX];
    int64_t out_stride[IFN_LINEAR_MAX];
} product;

/* Rows are x_stride apart, with NaN between them, which the op must not use. */
static const float *build_x(op_case *c, const product *t, op_scales scales)
{
    const int64_t n = t->rows > 0 ? (t->rows - 1) * t->x_stride + t->k : 0;
    float *const x = malloc((size_t)n * sizeof *x + 1);
    for (int64_t i = 0; i < n; i++) {
        const int64_t integer = 1 + op_below(c, 7);
        x[i] =
            scales == OP_SCALES_ANY ? op_float(c, OP_PLAIN) : (float)(i % 2 ? integer : -integer);
        if (i % t->x_stride >= t->k)
            x[i] = NAN;
    }
    const float *const input = op_input(c, x, (size_t)n * sizeof *x);
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

/* The seed chooses the first dtype; the other weights share its k. */
static product build(op_case *c, uint64_t seed, op_scales scales)
{
    const ifn_dtype dtype = (ifn_dtype)(seed % IFN_DTYPE_Q8_32F);
    const int64_t block = ifn_dtype_block_elements(dtype), n_w = 1 + (int64_t)(seed / 13 % 4);
    op_begin(c, IFN_OP_LINEAR, seed);
    product t = {.rows = op_size(c, 40), .k = block * op_size(c, block == 1 ? 300 : 512 / block)};
    t.x_stride = t.k + op_below(c, 3);
    t.x = build_x(c, &t, scales);
    add_weight(c, &t, dtype, scales);
    while (t.n_w < n_w) {
        const ifn_dtype other = (ifn_dtype)op_below(c, IFN_DTYPE_Q8_32F);
        if (t.k % ifn_dtype_block_elements(other) == 0)
            add_weight(c, &t, other, scales);
    }
    c->args.linear =
        IFN_ARGS(linear, .x = t.x, .rows = t.rows, .k = t.k, .x_stride = t.x_stride, .n_w = t.n_w);
    for (int64_t i = 0; i < t.n_w; i++) {
        c->args.linear.out[i] = t.out[i];
        c->args.linear.bias[i] = t.bias[i];
        c->args.linear.out_stride[i] = t.out_stride[i];
    }
    op_shape(c, "%s and %d more, rows %d, k %d", ifn_dtype_name(dtype), (int)t.n_w - 1, (int)t.rows,
             (int)t.k);
    return t;
}

/* The tensors are in the struct itself, so only its owner knows their addresses. */
static void point_at_weights(op_case *c, const product *t)
{
    for (int64_t i = 0; i < t->n_w; i++)
        c->args.linear.w[i] = &t->w[i].tensor;
}

static void fini(product *t)
{
    for (int64_t i = 0; i < t->n_w; i++)
        op_weights_fini(&t->w[i]);
}

/* numerics 7.1 and 7.2 */
static void expect_element(const op_case *c, const product *t, int64_t i, int64_t row, int64_t f,
                           op_scales scales)
{
    const op_weights *const w = &t->w[i];
    const ifn_dtype dtype = w->tensor.dtype;
    const float got = t->out[i][row * t->out_stride[i] + f];
    op_sum s = {0};
    for (int64_t j = t->k - 1; j >= 0; j--) {
        const double x = (double)t->x[row * t->x_stride + j];
        op_add(&s, w->scaled[f * t->k + j] * x);
        op_add(&s, w->minimum[f * t->k + j] * x);
    }
    double h = (double)t->k;
    if (ifn_dtype_is_quantized(dtype))
        h += 2.0 + (double)(op_has_minimum(dtype) * t->k / op_group(dtype));
    if (t->bias[i]) {
        op_add(&s, (double)t->bias[i][f]);
        h += 1.0;
    }
    const double bound = op_sum_bound(&s, h) + 4.0 * (double)t->k * OP_SMIN;
    op_expect(c, "out", row * t->w[i].tensor.shape[0] + f, got, op_value(&s),
              scales == OP_SCALES_ONE ? 0.0 : bound);
}

static void expect_product(const op_case *c, const product *t, op_scales scales)
{
    for (int64_t i = 0; i < t->n_w; i++) {
        const int64_t n = t->w[i].tensor.shape[0];
        for (int64_t row = 0; row < t->rows; row++) {
            for (int64_t f = 0; f < n; f++)
                expect_element(c, t, i, row, f, scales);
            if (row + 1 < t->rows)
                op_expect_untouched(c, "between rows", op_at(t->out[i], row * t->out_stride[i] + n),
                                    (size_t)(t->out_stride[i] - n) * sizeof(float));
        }
    }
}

TEST(every_dtype_is_within_the_bound_of_its_sums)
{
    for (uint64_t seed = 0; seed < 260; seed++) {
        op_case c;
        product t = build(&c, seed, OP_SCALES_ANY);
        point_at_weights(&c, &t);
        while (op_next(&c))
            expect_product(&c, &t, OP_SCALES_ANY);
        fini(&t);
    }
}

TEST(integers_are_multiplied_exactly)
{
    for (uint64_t seed = 0; seed < 130; seed++) {
        op_case c;
        product t = build(&c, seed, OP_SCALES_ONE);
        point_at_weights(&c, &t);
        while (op_next(&c))
            expect_product(&c, &t, OP_SCALES_ONE);
        fini(&t);
    }
}

TEST(a_row_alone_has_the_bits_it_has_among_others)
{
    for (uint64_t seed = 0; seed < 65; seed++) {
        op_case batch, one;
        product t = build(&batch, seed, OP_SCALES_ANY);
        point_at_weights(&batch, &t);
        if (t.rows == 0) {
            op_end(&batch);
            fini(&t);
            continue;
        }
        op_begin(&one, IFN_OP_LINEAR, seed);
        const int64_t row = op_below(&one, t.rows), n = t.w[0].tensor.shape[0];
        float *out = op_output(&one, n * 4);
        one.args.linear = IFN_ARGS(linear, .x = op_at(t.x, row * t.x_stride), .rows = 1, .k = t.k,
                                   .x_stride = t.k, .n_w = 1, .w = {&t.w[0].tensor}, .out = {out},
                                   .bias = {t.bias[0]}, .out_stride = {n});
        while (op_next(&batch) & op_next(&one))
            op_expect_bytes(&one, "out", out, op_at(t.out[0], row * t.out_stride[0]), n * 4);
        fini(&t);
    }
}

TEST(known_values_and_nan_stays_in_its_row)
{
    op_case c;
    op_begin(&c, IFN_OP_LINEAR, 0);
    const float *x = OP_IN(&c, 1, 2, 0, 1, NAN, 1);
    const float *bias = OP_IN(&c, 0.5f, 0);
    const ifn_tensor w = {"w", OP_IN(&c, 3, 4, INFINITY, 6), IFN_DTYPE_F32, 2, {2, 2}};
    float *out = op_output(&c, 6 * sizeof *out);
    c.args.linear = IFN_ARGS(linear, .x = x, .rows = 3, .k = 2, .x_stride = 2, .n_w = 1, .w = {&w},
                             .out = {out}, .bias = {bias}, .out_stride = {2});
    while (op_next(&c))
        OP_EXPECT(&c, out, 11.5f, INFINITY, 4.5f, NAN, NAN, NAN);
}

TEST(shapes_that_do_not_fit_are_refused)
{
    const ifn_tensor w = {"w", NULL, IFN_DTYPE_F32, 2, {0, 32}};
    const ifn_tensor vector = {"vector", NULL, IFN_DTYPE_F32, 1, {32}};
    const ifn_tensor uneven = {"uneven", NULL, IFN_DTYPE_Q4_K, 2, {0, 32}};
    const ifn_tensor activations = {"activations", NULL, IFN_DTYPE_Q8_32F, 2, {0, 32}};
    const ifn_tensor tall = {"tall", NULL, IFN_DTYPE_F32, 2, {2, 32}};
    const ifn_linear_args wrong[] = {
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 0, .w = {&w}),
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 5, .w = {&w, &w, &w, &w}),
        IFN_ARGS(linear, .k = 32, .x_stride = 31, .n_w = 1, .w = {&w}),
        IFN_ARGS(linear, .k = 31, .x_stride = 31, .n_w = 1, .w = {&w}),
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 1, .w = {&w}, .rows = -1),
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 1, .w = {&vector}),
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 2, .w = {&w, &uneven}),
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 1, .w = {&activations}),
        IFN_ARGS(linear, .k = 32, .x_stride = 32, .n_w = 1, .w = {&tall}, .out_stride = {1}),
    };
    for (size_t i = 0; i < N_OF(wrong); i++) {
        op_case c;
        op_begin(&c, IFN_OP_LINEAR, i);
        c.args.linear = wrong[i];
        op_expect_status(&c, IFN_ERR_SHAPE);
    }
}
