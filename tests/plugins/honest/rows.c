/* Elements and rows: silu, 1/sqrt, softmax, rope, rms_norm, swiglu. */
#include <math.h>

#include "honest.h"

enum { BLOCK = 32 };

ifn_status honest_silu(const style *s, const ifn_silu_args *a)
{
    const range part = part_of(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[i] = silu_of(s, a->x[i]);
    return IFN_OK;
}

ifn_status honest_rsqrt_elem(const style *s, const ifn_rsqrt_elem_args *a)
{
    const range part = part_of(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[i] = rsqrt_of(s, a->x[i]);
    return IFN_OK;
}

/* --- softmax --- */

static float largest(const float *x, int64_t n)
{
    float max = x[0];
    for (int64_t i = 1; i < n; i++)
        max = x[i] > max || isnan(x[i]) ? x[i] : max;
    return max;
}

/* Computes maximum and sum in one pass. The sum is NaN if the maximum is not finite. */
static float online_sum(const style *s, const float *x, int64_t n, float *max)
{
    float sum = 0;
    *max = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        if (!(x[i] <= *max)) {
            sum *= *max == -INFINITY ? 0.0f : exp_of(s, *max - x[i]);
            *max = x[i];
        }
        if (x[i] != -INFINITY)
            sum += exp_of(s, x[i] - *max);
    }
    return *max == -INFINITY ? NAN : sum;
}

static void softmax_row(const style *s, const float *x, float *out, int64_t n)
{
    static const float one = 1;
    float max, sum;
    if (s->softmax == SOFTMAX_ONLINE) {
        sum = online_sum(s, x, n, &max);
        for (int64_t i = 0; i < n; i++)
            out[i] = exp_of(s, x[i] - max) / sum;
        return;
    }
    max = largest(x, n);
    if (s->softmax == SOFTMAX_FLOOR)
        max = floorf(max);
    for (int64_t i = 0; i < n; i++)
        out[i] = exp_of(s, x[i] - max);
    sum = sum_of(s, &(terms){out, &one, 1, 0}, n);
    const float inverse = 1.0f / sum;
    for (int64_t i = 0; i < n; i++)
        out[i] = s->softmax == SOFTMAX_RECIPROCAL ? out[i] * inverse : out[i] / sum;
}

ifn_status honest_softmax_rows(const style *s, const ifn_softmax_rows_args *a)
{
    const range rows = part_of(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end && a->cols > 0; r++)
        softmax_row(s, a->x + r * a->cols, a->out + r * a->cols, a->cols);
    return IFN_OK;
}

/* --- rope --- */

static void rotate(const style *s, float *y0, float *y1, float x0, float x1, float c, float sine)
{
    *y0 = multiply_add(s, x0, c, -(x1 * sine));
    *y1 = multiply_add(s, x0, sine, x1 * c);
}

static void rotate_head(const style *s, float *out, const float *x, const float *table,
                        int64_t head_dim, int32_t pairing)
{
    const int64_t half = head_dim / 2;
    for (int64_t i = 0; i < half; i++) {
        const int64_t i0 = pairing == IFN_ROPE_INTERLEAVED ? 2 * i : i;
        const int64_t i1 = pairing == IFN_ROPE_INTERLEAVED ? i0 + 1 : i + half;
        rotate(s, &out[i0], &out[i1], x[i0], x[i1], table[i], table[half + i]);
    }
}

ifn_status honest_apply_rope(const style *s, const ifn_apply_rope_args *a)
{
    const range rows = part_of(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t h = 0; h < a->n_heads; h++) {
            const int64_t at = (r * a->n_heads + h) * a->head_dim;
            rotate_head(s, a->out + at, a->x + at, a->table + r * a->head_dim, a->head_dim,
                        a->pairing);
        }
    return IFN_OK;
}

ifn_status honest_apply_rope_single_row(const style *s, const ifn_apply_rope_single_row_args *a)
{
    const range heads = part_of(a->part_begin, a->part_end, a->n_heads);
    for (int64_t h = heads.begin; h < heads.end; h++)
        rotate_head(s, a->out + h * a->head_dim, a->x + h * a->head_dim, a->table, a->head_dim,
                    a->pairing);
    return IFN_OK;
}

/* --- rms_norm, swiglu --- */

/* The factors that all elements of a row share, as the forms of the norm need them. */
typedef struct scale {
    float root, inverse;
    double exact;
} scale;

static float with_residual(const ifn_rms_norm_args *a, int64_t i)
{
    return a->add ? a->x[i] + a->add[i] : a->x[i];
}

static scale scale_of(const style *s, const float *sums, int64_t n, float eps)
{
    const float sum = sum_of(s, &(terms){sums, NULL, 1, 1}, n);
    const float mean = s->inverse_n ? sum * (1.0f / (float)n) : sum / (float)n;
    double squares = 0;
    for (int64_t i = 0; s->norm == NORM_DOUBLE && i < n; i++)
        squares += (double)sums[i] * (double)sums[i];
    return (scale){sqrtf(mean + eps), rsqrt_of(s, mean + eps),
                   1.0 / sqrt(squares / (double)n + (double)eps)};
}

static float normed(const style *s, const scale *c, float x, float w)
{
    switch (s->norm) {
    case NORM_DIVIDE:
        return x / c->root * w;
    case NORM_WEIGHT:
        return x * (w / c->root);
    case NORM_DOUBLE:
        return (float)((double)x * c->exact * (double)w);
    default:
        return x * c->inverse * w;
    }
}

/* Keeps x plus the residual in scratch, as `out` may be x. */
static ifn_status norm_row(const style *s, const ifn_rms_norm_args *a, int64_t row)
{
    float *const sums = a->call.scratch, block[BLOCK];
    const int64_t at = row * a->dim;
    for (int64_t i = 0; i < a->dim; i++)
        sums[i] = with_residual(a, at + i);
    for (int64_t i = 0; a->sum && i < a->dim; i++)
        a->sum[at + i] = sums[i];
    const scale c = scale_of(s, sums, a->dim, a->eps);
    for (int64_t i = 0; i < a->dim; i++) {
        const float y = normed(s, &c, sums[i], a->weight[i]);
        if (a->out_dtype == IFN_DTYPE_F32)
            ((float *)a->out)[at + i] = y;
        block[i % BLOCK] = y;
        if (a->out_dtype != IFN_DTYPE_F32 && i % BLOCK == BLOCK - 1)
            IFN_TRY(ifn_quantize_row(a->out_dtype, block,
                                     (ifn_block_q8_32f *)a->out + (at + i) / BLOCK, BLOCK));
    }
    return IFN_OK;
}

ifn_status honest_rms_norm(const style *s, const ifn_rms_norm_args *a)
{
    const range rows = part_of(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        IFN_TRY(norm_row(s, a, r));
    return IFN_OK;
}

ifn_status honest_swiglu(const style *s, const ifn_swiglu_args *a)
{
    const range rows = part_of(a->part_begin, a->part_end, a->rows);
    float block[BLOCK];
    for (int64_t i = rows.begin * a->dim; i < rows.end * a->dim; i++) {
        const float y = silu_of(s, a->gate[i]) * a->up[i];
        if (a->out_dtype == IFN_DTYPE_F32)
            ((float *)a->out)[i] = y;
        block[i % BLOCK] = y;
        if (a->out_dtype != IFN_DTYPE_F32 && i % BLOCK == BLOCK - 1)
            IFN_TRY(ifn_quantize_row(a->out_dtype, block, (ifn_block_q8_32f *)a->out + i / BLOCK,
                                     BLOCK));
    }
    return IFN_OK;
}
