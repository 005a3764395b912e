#include "variant_ops.h"

#include <math.h>
#include <string.h>

#include <inferno/quant.h>

enum { BLOCK = 32 }; /* elements of a block of Q8_32F */

/* As it is stored. */
static float result(const variant *v, float sum)
{
    return variant_round(v, v->a.output, sum);
}

ifn_status variant_matmul(const variant *v, const ifn_matmul_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_MATMUL, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->m);
    const variant_range cols = variant_part(a->part2_begin, a->part2_end, a->p);
    const variant own = variant_in(v, IFN_OP_MATMUL, IFN_DTYPE_F32);
    for (int64_t i = rows.begin; i < rows.end; i++) {
        for (int64_t j = cols.begin; j < cols.end; j++) {
            const variant_terms t = {
                .a = a->a + i * a->n, .a_stride = 1, .b = a->b + j, .b_stride = a->p};
            a->out[i * a->p + j] = result(&own, variant_sum(&own, &t, a->n));
        }
    }
    return IFN_OK;
}

ifn_status variant_sum_squares_axis(const variant *v, const ifn_sum_squares_axis_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_SUM_SQUARES_AXIS, &a->call, NULL));
    const variant_range part =
        variant_part(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    const variant own = variant_in(v, IFN_OP_SUM_SQUARES_AXIS, IFN_DTYPE_F32);
    for (int64_t i = part.begin; i < part.end; i++) {
        const variant_terms along = {.a = a->x + i * a->cols, .a_stride = 1};
        const variant_terms down = {.a = a->x + i, .a_stride = a->cols};
        a->out[i] = result(&own, a->axis ? variant_sum(&own, &along, a->cols)
                                         : variant_sum(&own, &down, a->rows));
    }
    return IFN_OK;
}

static void softmax_row(const variant *v, const float *x, float *out, int64_t n)
{
    static const float one = 1.0f; /* a plain sum is one of products with 1 */
    float max = -INFINITY;
    for (int64_t i = 0; i < n; i++)
        max = x[i] > max ? x[i] : max;
    for (int64_t i = 0; i < n; i++)
        out[i] = expf(x[i] - max);
    const float sum = variant_sum(v, &(variant_terms){.a = out, .a_stride = 1, .b = &one}, n);
    for (int64_t i = 0; i < n; i++)
        out[i] /= sum;
}

ifn_status variant_softmax_rows(const variant *v, const ifn_softmax_rows_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_SOFTMAX_ROWS, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end && a->cols > 0; r++)
        softmax_row(v, a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return IFN_OK;
}

/* s = x + add; where the sum is wanted it is stored before anything reads it. */
static variant_terms residual_of(const ifn_rms_norm_args *a, int64_t row)
{
    const int64_t at = row * a->dim;
    for (int64_t i = at; a->sum && i < at + a->dim; i++)
        a->sum[i] = a->add ? a->x[i] + a->add[i] : a->x[i];
    if (a->sum)
        return (variant_terms){.a = a->sum + at, .a_stride = 1};
    return (variant_terms){.a = a->x + at, .a_stride = 1, .add = a->add ? a->add + at : NULL};
}

static float normed(const variant_terms *s, const float *weight, float root, int64_t i)
{
    return (s->add ? s->a[i] + s->add[i] : s->a[i]) / root * weight[i];
}

static ifn_status norm_row(const variant *v, const ifn_rms_norm_args *a, int64_t row)
{
    const variant_terms s = residual_of(a, row);
    const float root = sqrtf(variant_sum(v, &s, a->dim) / (float)a->dim + a->eps);
    if (a->out_dtype == IFN_DTYPE_F32) {
        float *const out = (float *)a->out + row * a->dim;
        for (int64_t i = 0; i < a->dim; i++)
            out[i] = normed(&s, a->weight, root, i);
        return IFN_OK;
    }
    for (int64_t b = 0; b < a->dim / BLOCK; b++) {
        float y[BLOCK];
        for (int64_t i = 0; i < BLOCK; i++)
            y[i] = normed(&s, a->weight, root, b * BLOCK + i);
        ifn_block_q8_32f *const out = (ifn_block_q8_32f *)a->out + row * (a->dim / BLOCK) + b;
        IFN_TRY(ifn_quantize_row(IFN_DTYPE_Q8_32F, y, out, BLOCK));
    }
    return IFN_OK;
}

ifn_status variant_rms_norm(const variant *v, const ifn_rms_norm_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_RMS_NORM, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        IFN_TRY(norm_row(v, a, r));
    return IFN_OK;
}

static ifn_status decode(const ifn_tensor *w, int64_t feature, float *out)
{
    const int64_t k = w->shape[1];
    const size_t at = (size_t)feature * ifn_dtype_row_bytes(w->dtype, k);
    return ifn_dequantize_row(w->dtype, (const unsigned char *)w->data + at, out, k);
}

/* A weight's row, or terms of int8 products; and rows of activations, where they are rounded. */
static size_t linear_scratch_bytes(const variant *v, int64_t rows, int64_t k)
{
    const size_t copies = v->declared ? (size_t)(rows * k) : 0;
    return ((size_t)(k + 2 * (k / BLOCK)) + copies) * sizeof(float);
}

/* What part [begin, end) of features end to end leaves for n of them from `first` on. */
static variant_range within(variant_range part, int64_t first, int64_t n)
{
    const int64_t begin = part.begin > first ? part.begin - first : 0;
    const int64_t end = part.end < first + n ? part.end - first : n;
    return (variant_range){begin, end};
}

static float with_bias(const variant *v, float sum, const float *bias, int64_t feature)
{
    return result(v, bias ? sum + bias[feature] : sum);
}

/* Rows of activations as their products see them, from row 0 on. */
typedef struct activations {
    const float *x;
    int64_t stride;
} activations;

/* Each is rounded once, not once for each weight that it meets. */
static void round_all(const variant *v, float *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = variant_round(v, v->a.inputs, x[i]);
}

static activations read_rows(const variant *v, const ifn_linear_args *a, float *copies,
                             variant_range rows)
{
    if (!v->a.inputs)
        return (activations){a->x, a->x_stride};
    for (int64_t r = rows.begin; r < rows.end; r++) {
        memcpy(copies + r * a->k, a->x + r * a->x_stride, (size_t)a->k * sizeof *copies);
        round_all(v, copies + r * a->k, a->k);
    }
    return (activations){copies, a->k};
}

/* Codes times scales. */
static activations decode_rows(const variant *v, const ifn_linear_q8_args *a, float *copies,
                               variant_range rows)
{
    for (int64_t r = rows.begin; r < rows.end; r++) {
        const ifn_block_q8_32f *const blocks = a->x + r * a->x_stride;
        for (int64_t i = 0; i < a->k; i++)
            copies[r * a->k + i] = blocks[i / BLOCK].d * (float)blocks[i / BLOCK].qs[i % BLOCK];
        round_all(v, copies + r * a->k, a->k);
    }
    return (activations){copies, a->k};
}

/* One weight's features for some rows. */
typedef struct product {
    const ifn_tensor *w;
    const float *bias;
    float *out, *w_row; /* scratch */
    int64_t out_stride;
    activations x;
    variant_range features, rows;
} product;

static ifn_status multiply(const variant *v, const product *p)
{
    const int64_t k = p->w->shape[1];
    variant exact = *v; /* factors are rounded here, once */
    exact.a.inputs = IFN_ROUND_NONE;
    for (int64_t f = p->features.begin; f < p->features.end; f++) {
        IFN_TRY(decode(p->w, f, p->w_row));
        round_all(v, p->w_row, v->a.inputs ? k : 0);
        for (int64_t r = p->rows.begin; r < p->rows.end; r++) {
            const variant_terms t = {
                .a = p->w_row, .a_stride = 1, .b = p->x.x + r * p->x.stride, .b_stride = 1};
            p->out[r * p->out_stride + f] = with_bias(v, variant_sum(&exact, &t, k), p->bias, f);
        }
    }
    return IFN_OK;
}

ifn_status variant_linear(const variant *v, const ifn_linear_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR, &a->call, NULL));
    if (a->call.scratch_bytes < linear_scratch_bytes(v, a->rows, a->k))
        return IFN_ERR_ARGUMENT;
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const variant_range part = variant_part(a->part_begin, a->part_end, n);
    const variant_range rows = variant_part(a->part2_begin, a->part2_end, a->rows);
    float *const w_row = a->call.scratch, *const copies = w_row + a->k + 2 * (a->k / BLOCK);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        const variant own = variant_in(v, IFN_OP_LINEAR, a->w[i]->dtype);
        const product p = {.w = a->w[i],
                           .bias = a->bias[i],
                           .out = a->out[i],
                           .w_row = w_row,
                           .out_stride = a->out_stride[i],
                           .x = read_rows(&own, a, copies, rows),
                           .features = within(part, first, a->w[i]->shape[0]),
                           .rows = rows};
        IFN_TRY(multiply(&own, &p));
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}

/*
 * Inside a block the sum of weight times code is formed in f64, which holds it as integers times
 * scales would, and rounded once. Blocks, each times its activation scale, are what the variant
 * adds up in its order.
 */
static float dot_q8(const variant *v, const float *w, const ifn_block_q8_32f *x, int64_t n_blocks,
                    float *sums)
{
    float *const scales = sums + n_blocks;
    for (int64_t b = 0; b < n_blocks; b++) {
        double sum = 0;
        for (int64_t i = 0; i < BLOCK; i++)
            sum += (double)w[b * BLOCK + i] * (double)x[b].qs[i];
        sums[b] = (float)sum;
        scales[b] = x[b].d;
    }
    return variant_sum(v, &(variant_terms){.a = sums, .a_stride = 1, .b = scales, .b_stride = 1},
                       n_blocks);
}

static ifn_status multiply_q8(const variant *v, const ifn_linear_q8_args *a, int64_t i,
                              variant_range features, variant_range rows)
{
    float *const w = a->call.scratch;
    for (int64_t f = features.begin; f < features.end; f++) {
        IFN_TRY(decode(a->w[i], f, w));
        for (int64_t r = rows.begin; r < rows.end; r++) {
            const float sum = dot_q8(v, w, a->x + r * a->x_stride, a->k / BLOCK, w + a->k);
            a->out[i][r * a->out_stride[i] + f] = with_bias(v, sum, a->bias[i], f);
        }
    }
    return IFN_OK;
}

/* Declared arithmetic multiplies what both factors stand for. */
static ifn_status multiply_decoded(const variant *v, const ifn_linear_q8_args *a, int64_t i,
                                   variant_range features, variant_range rows)
{
    float *const w_row = a->call.scratch, *const copies = w_row + a->k + 2 * (a->k / BLOCK);
    const product p = {.w = a->w[i],
                       .bias = a->bias[i],
                       .out = a->out[i],
                       .w_row = w_row,
                       .out_stride = a->out_stride[i],
                       .x = decode_rows(v, a, copies, rows),
                       .features = features,
                       .rows = rows};
    return multiply(v, &p);
}

ifn_status variant_linear_q8(const variant *v, const ifn_linear_q8_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR_Q8, &a->call, NULL));
    if (a->call.scratch_bytes < linear_scratch_bytes(v, a->rows, a->k))
        return IFN_ERR_ARGUMENT;
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const variant_range part = variant_part(a->part_begin, a->part_end, n);
    const variant_range rows = variant_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        const variant own = variant_in(v, IFN_OP_LINEAR_Q8, a->w[i]->dtype);
        const variant_range features = within(part, first, a->w[i]->shape[0]);
        IFN_TRY((conform_arithmetic_is_plain(&own.a) ? multiply_q8 : multiply_decoded)(
            &own, a, i, features, rows));
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}

size_t variant_scratch_bytes(const variant *v, const ifn_limits *max)
{
    const size_t linear = linear_scratch_bytes(v, max->rows, max->k);
    const size_t attention = variant_attention_scratch_bytes(max->head_dim);
    return linear > attention ? linear : attention;
}
