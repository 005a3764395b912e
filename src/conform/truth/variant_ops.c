#include "variant_ops.h"

#include <math.h>

#include <inferno/quant.h>

enum { BLOCK = 32 }; /* elements of a block of Q8_32F */

ifn_status variant_matmul(const variant *v, const ifn_matmul_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_MATMUL, &a->call, NULL));
    const variant_range rows = variant_part(a->part_begin, a->part_end, a->m);
    const variant_range cols = variant_part(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; i < rows.end; i++) {
        for (int64_t j = cols.begin; j < cols.end; j++) {
            const variant_terms t = {
                .a = a->a + i * a->n, .a_stride = 1, .b = a->b + j, .b_stride = a->p};
            a->out[i * a->p + j] = variant_sum(v, &t, a->n);
        }
    }
    return IFN_OK;
}

ifn_status variant_sum_squares_axis(const variant *v, const ifn_sum_squares_axis_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_SUM_SQUARES_AXIS, &a->call, NULL));
    const variant_range part =
        variant_part(a->part_begin, a->part_end, a->axis ? a->rows : a->cols);
    for (int64_t i = part.begin; i < part.end; i++) {
        const variant_terms along = {.a = a->x + i * a->cols, .a_stride = 1};
        const variant_terms down = {.a = a->x + i, .a_stride = a->cols};
        a->out[i] = a->axis ? variant_sum(v, &along, a->cols) : variant_sum(v, &down, a->rows);
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

static size_t linear_scratch_bytes(int64_t k)
{
    return (size_t)(k + 2 * (k / BLOCK)) * sizeof(float);
}

/* What part [begin, end) of features end to end leaves for n of them from `first` on. */
static variant_range within(variant_range part, int64_t first, int64_t n)
{
    const int64_t begin = part.begin > first ? part.begin - first : 0;
    const int64_t end = part.end < first + n ? part.end - first : n;
    return (variant_range){begin, end};
}

static float with_bias(float sum, const float *bias, int64_t feature)
{
    return bias ? sum + bias[feature] : sum;
}

static ifn_status multiply(const variant *v, const ifn_linear_args *a, int64_t i,
                           variant_range features, variant_range rows)
{
    float *const w = a->call.scratch;
    for (int64_t f = features.begin; f < features.end; f++) {
        IFN_TRY(decode(a->w[i], f, w));
        for (int64_t r = rows.begin; r < rows.end; r++) {
            const variant_terms t = {
                .a = w, .a_stride = 1, .b = a->x + r * a->x_stride, .b_stride = 1};
            a->out[i][r * a->out_stride[i] + f] =
                with_bias(variant_sum(v, &t, a->k), a->bias[i], f);
        }
    }
    return IFN_OK;
}

ifn_status variant_linear(const variant *v, const ifn_linear_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR, &a->call, NULL));
    if (a->call.scratch_bytes < linear_scratch_bytes(a->k))
        return IFN_ERR_ARGUMENT;
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const variant_range part = variant_part(a->part_begin, a->part_end, n);
    const variant_range rows = variant_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        IFN_TRY(multiply(v, a, i, within(part, first, a->w[i]->shape[0]), rows));
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
            a->out[i][r * a->out_stride[i] + f] = with_bias(sum, a->bias[i], f);
        }
    }
    return IFN_OK;
}

ifn_status variant_linear_q8(const variant *v, const ifn_linear_q8_args *a)
{
    IFN_TRY(ifn_op_check(IFN_OP_LINEAR_Q8, &a->call, NULL));
    if (a->call.scratch_bytes < linear_scratch_bytes(a->k))
        return IFN_ERR_ARGUMENT;
    int64_t n = 0;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    const variant_range part = variant_part(a->part_begin, a->part_end, n);
    const variant_range rows = variant_part(a->part2_begin, a->part2_end, a->rows);
    int64_t first = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        IFN_TRY(multiply_q8(v, a, i, within(part, first, a->w[i]->shape[0]), rows));
        first += a->w[i]->shape[0];
    }
    return IFN_OK;
}

size_t variant_scratch_bytes(const ifn_limits *max)
{
    const size_t linear = linear_scratch_bytes(max->k);
    const size_t attention = variant_attention_scratch_bytes(max->head_dim);
    return linear > attention ? linear : attention;
}
