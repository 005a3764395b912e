/*
 * linear      dequantize_rows, transpose_2d, matmul, add. Decoded weights are exact or rounded once
 *             and every order of the sum is inside the op's own bound: nothing to widen.
 * linear_q8   the same on dequantize_rows of the activations. Each product now has a rounded weight
 *             and a rounded activation, and the sum has depth k instead of k / 32: the bound grows
 *             by gamma(k + 3) sum |w x| + k SMIN.
 * rms_norm    sum_squares_axis, scale by 1/dim, add_scalar, rsqrt_elem, hadamard: the roundings
 *             that numerics 7.5 counts.
 * swiglu      silu, hadamard: those of numerics 6.
 * kv_store    quantize_rows, then the bytes at their place.
 * attention   matmul, scale, fill_strict_upper_tri, softmax_rows, matmul, head by head. Scores are
 *             formed as numerics 7.7 assumes. Weights are normalised before the sum: one rounding
 *             each that no quotient cancels, a normaliser of depth T, and a sum of depth T over
 *             weights that add up to 1: 2 gamma(T + 6) max |v|.
 */
#include "laws.h"

#include <math.h>
#include <string.h>

#include <inferno/quant.h>

#include "bounds.h"

#define RUN(backend, op, ...) ifn_##op(backend, &IFN_ARGS(op, __VA_ARGS__))

static float *take(conform_pool *pool, int64_t rows, int64_t cols)
{
    return conform_pool_take(pool, (size_t)(rows * cols), sizeof(float));
}

/* Row r of a strided matrix, copied to or from a dense one. */
static ifn_status gather_stride(ifn_backend *b, const float *x, int64_t stride, int64_t rows,
                                int64_t cols, float *dense)
{
    for (int64_t r = 0; r < rows; r++)
        IFN_TRY(RUN(b, copy_contiguous_into, .out = dense, .x = x + r * stride, .n = cols,
                    .out_n = rows * cols, .out_offset = r * cols));
    return IFN_OK;
}

static ifn_status scatter_stride(ifn_backend *b, const float *dense, int64_t rows, int64_t cols,
                                 float *out, int64_t stride)
{
    for (int64_t r = 0; r < rows; r++)
        IFN_TRY(RUN(b, copy_contiguous_into, .out = out + r * stride, .x = dense + r * cols,
                    .n = cols, .out_n = cols));
    return IFN_OK;
}

/* One weight of a linear: out = x w^T (+ bias), x dense [rows, k] */
static ifn_status multiply(ifn_backend *b, const float *x, int64_t rows, const ifn_tensor *w,
                           const float *bias, float *out, int64_t out_stride, conform_pool *pool)
{
    const int64_t n = w->shape[0], k = w->shape[1];
    float *decoded = take(pool, n, k), *turned = take(pool, k, n);
    float *product = take(pool, rows, n), *biases = take(pool, rows, n);
    IFN_TRY(RUN(b, dequantize_rows, .out = decoded, .x = w->data, .rows = n, .cols = k,
                .dtype = w->dtype));
    IFN_TRY(RUN(b, transpose_2d, .out = turned, .x = decoded, .rows = n, .cols = k));
    IFN_TRY(RUN(b, matmul, .out = product, .a = x, .b = turned, .m = rows, .n = k, .p = n));
    if (bias) {
        IFN_TRY(RUN(b, repeat_row_as_matrix, .out = biases, .x = bias, .rows = rows, .dim = n));
        IFN_TRY(RUN(b, add, .out = product, .x = product, .y = biases, .n = rows * n));
    }
    return scatter_stride(b, product, rows, n, out, out_stride);
}

static ifn_status law_linear(ifn_backend *b, const ifn_linear_args *a, conform_pool *pool)
{
    float *x = take(pool, a->rows, a->k);
    IFN_TRY(gather_stride(b, a->x, a->x_stride, a->rows, a->k, x));
    for (int64_t i = 0; i < a->n_w; i++)
        IFN_TRY(multiply(b, x, a->rows, a->w[i], a->bias[i], a->out[i], a->out_stride[i], pool));
    return IFN_OK;
}

static ifn_status law_linear_q8(ifn_backend *b, const ifn_linear_q8_args *a, conform_pool *pool)
{
    float *x = take(pool, a->rows, a->k);
    for (int64_t r = 0; r < a->rows; r++)
        IFN_TRY(RUN(b, dequantize_rows, .out = x + r * a->k, .x = a->x + r * a->x_stride, .rows = 1,
                    .cols = a->k, .dtype = IFN_DTYPE_Q8_32F));
    for (int64_t i = 0; i < a->n_w; i++)
        IFN_TRY(multiply(b, x, a->rows, a->w[i], a->bias[i], a->out[i], a->out_stride[i], pool));
    return IFN_OK;
}

/* f32 rows to the dtype an op was asked for. */
static ifn_status finish_rows(ifn_backend *b, const float *rows_f32, int64_t rows, int64_t dim,
                              ifn_dtype dtype, void *out)
{
    if (dtype == IFN_DTYPE_F32)
        return RUN(b, copy_contiguous_into, .out = out, .x = rows_f32, .n = rows * dim,
                   .out_n = rows * dim);
    return RUN(b, quantize_rows, .out = out, .x = rows_f32, .rows = rows, .cols = dim,
               .out_dtype = dtype);
}

static ifn_status law_rms_norm(ifn_backend *b, const ifn_rms_norm_args *a, conform_pool *pool)
{
    const int64_t rows = a->rows, dim = a->dim, n = rows * dim;
    float *s = take(pool, rows, dim), *r = take(pool, rows, 1);
    float *factor = take(pool, rows, dim), *weight = take(pool, rows, dim);
    if (a->add)
        IFN_TRY(RUN(b, add, .out = s, .x = a->x, .y = a->add, .n = n));
    else
        IFN_TRY(RUN(b, copy_contiguous_into, .out = s, .x = a->x, .n = n, .out_n = n));
    if (a->sum)
        IFN_TRY(RUN(b, copy_contiguous_into, .out = a->sum, .x = s, .n = n, .out_n = n));
    IFN_TRY(RUN(b, sum_squares_axis, .out = r, .x = s, .rows = rows, .cols = dim, .axis = 1));
    IFN_TRY(RUN(b, scale, .out = r, .x = r, .value = 1.0f / (float)dim, .n = rows));
    IFN_TRY(RUN(b, add_scalar, .out = r, .x = r, .value = a->eps, .n = rows));
    IFN_TRY(RUN(b, rsqrt_elem, .out = r, .x = r, .n = rows));
    IFN_TRY(RUN(b, broadcast_row_scalars, .out = factor, .x = r, .rows = rows, .dim = dim));
    IFN_TRY(RUN(b, repeat_row_as_matrix, .out = weight, .x = a->weight, .rows = rows, .dim = dim));
    IFN_TRY(RUN(b, hadamard, .out = s, .x = s, .y = factor, .n = n));
    IFN_TRY(RUN(b, hadamard, .out = s, .x = s, .y = weight, .n = n));
    return finish_rows(b, s, rows, dim, a->out_dtype, a->out);
}

static ifn_status law_swiglu(ifn_backend *b, const ifn_swiglu_args *a, conform_pool *pool)
{
    const int64_t n = a->rows * a->dim;
    float *s = take(pool, a->rows, a->dim);
    IFN_TRY(RUN(b, silu, .out = s, .x = a->gate, .n = n));
    IFN_TRY(RUN(b, hadamard, .out = s, .x = s, .y = a->up, .n = n));
    return finish_rows(b, s, a->rows, a->dim, a->out_dtype, a->out);
}

static ifn_status store(ifn_backend *b, const ifn_kv_store_args *a, const float *new_rows,
                        unsigned char *cache, conform_pool *pool)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    unsigned char *row = conform_pool_take(pool, row_bytes, 1);
    for (int64_t h = 0; h < a->n_kv_heads; h++) {
        for (int64_t r = 0; r < a->rows; r++) {
            const size_t at = (size_t)(h * a->max_pos + a->first_pos + r) * row_bytes;
            IFN_TRY(RUN(b, quantize_rows, .out = row,
                        .x = new_rows + (r * a->n_kv_heads + h) * a->head_dim, .rows = 1,
                        .cols = a->head_dim, .out_dtype = a->cache_dtype));
            IFN_TRY(RUN(b, copy_in, .out = cache + at, .host = row, .bytes = row_bytes));
        }
    }
    return IFN_OK;
}

static ifn_status law_kv_store(ifn_backend *b, const ifn_kv_store_args *a, conform_pool *pool)
{
    IFN_TRY(store(b, a, a->k, a->k_cache, pool));
    return store(b, a, a->v, a->v_cache, pool);
}

/* The visible rows of one KV head as f32 [n_keys, head_dim]; rows behind them are not touched. */
static ifn_status decode_head(ifn_backend *b, const ifn_attention_args *a, const void *cache,
                              int64_t head, int64_t n_keys, float *out)
{
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    return RUN(b, dequantize_rows, .out = out,
               .x = (const unsigned char *)cache + (size_t)(kv_head * a->max_pos) * row_bytes,
               .rows = n_keys, .cols = a->head_dim, .dtype = a->cache_dtype);
}

static ifn_status attend_head(ifn_backend *b, const ifn_attention_args *a, int64_t head,
                              conform_pool *pool)
{
    const int64_t rows = a->rows, n_keys = a->first_pos + rows, dim = a->head_dim;
    const int64_t q_dim = a->n_heads * dim;
    float *q = take(pool, rows, dim), *kv = take(pool, n_keys, dim), *kt = take(pool, dim, n_keys);
    float *scores = take(pool, rows, n_keys), *out = take(pool, rows, dim);
    IFN_TRY(RUN(b, copy_2d_from_cols, .out = q, .x = a->q, .rows = rows, .cols = dim,
                .x_cols = q_dim, .col_begin = head * dim));
    IFN_TRY(decode_head(b, a, a->k_cache, head, n_keys, kv));
    IFN_TRY(RUN(b, transpose_2d, .out = kt, .x = kv, .rows = n_keys, .cols = dim));
    IFN_TRY(RUN(b, matmul, .out = scores, .a = q, .b = kt, .m = rows, .n = dim, .p = n_keys));
    IFN_TRY(RUN(b, scale, .out = scores, .x = scores, .value = a->scale, .n = rows * n_keys));
    IFN_TRY(RUN(b, fill_strict_upper_tri, .x = scores, .value = -INFINITY, .rows = rows,
                .cols = n_keys, .offset = a->first_pos));
    IFN_TRY(RUN(b, softmax_rows, .out = scores, .x = scores, .rows = rows, .cols = n_keys));
    IFN_TRY(decode_head(b, a, a->v_cache, head, n_keys, kv));
    IFN_TRY(RUN(b, matmul, .out = out, .a = scores, .b = kv, .m = rows, .n = n_keys, .p = dim));
    return RUN(b, copy_2d_into_cols, .out = a->out, .x = out, .rows = rows, .cols = dim,
               .out_cols = q_dim, .col_begin = head * dim);
}

static ifn_status law_attention(ifn_backend *b, const ifn_attention_args *a, conform_pool *pool)
{
    for (int64_t head = 0; head < a->n_heads; head++)
        IFN_TRY(attend_head(b, a, head, pool));
    return IFN_OK;
}

int conform_has_law(ifn_op op)
{
    return op == IFN_OP_LINEAR || op == IFN_OP_LINEAR_Q8 || op == IFN_OP_RMS_NORM ||
           op == IFN_OP_SWIGLU || op == IFN_OP_KV_STORE || op == IFN_OP_ATTENTION;
}

ifn_status conform_law_run(ifn_op op, ifn_backend *backend, const ifn_args *args,
                           conform_pool *pool)
{
    switch (op) {
    case IFN_OP_LINEAR:
        return law_linear(backend, &args->linear, pool);
    case IFN_OP_LINEAR_Q8:
        return law_linear_q8(backend, &args->linear_q8, pool);
    case IFN_OP_RMS_NORM:
        return law_rms_norm(backend, &args->rms_norm, pool);
    case IFN_OP_SWIGLU:
        return law_swiglu(backend, &args->swiglu, pool);
    case IFN_OP_KV_STORE:
        return law_kv_store(backend, &args->kv_store, pool);
    case IFN_OP_ATTENTION:
        return law_attention(backend, &args->attention, pool);
    default:
        return IFN_ERR_UNSUPPORTED;
    }
}

static void add_to_bound(conform_truth *t, int64_t i, double extra)
{
    if (t->class == CLASS_BOUND && isfinite(t->want[i]))
        t->bound[i] += extra * CONFORM_WIDEN;
}

/* sum |w x| of feature f and row r, both decoded; blocks of a weight at most 256 long. */
static double absolute_sum(const ifn_linear_q8_args *a, const ifn_tensor *w, int64_t f, int64_t r)
{
    double sum = 0;
    const size_t row_bytes = ifn_dtype_row_bytes(w->dtype, a->k);
    const int64_t block = ifn_dtype_block_elements(w->dtype);
    for (int64_t j = 0; j < a->k; j += block) {
        float weights[256];
        const size_t at = (size_t)f * row_bytes + ifn_dtype_row_bytes(w->dtype, j);
        if (ifn_dequantize_row(w->dtype, (const unsigned char *)w->data + at, weights, block))
            return (double)INFINITY;
        for (int64_t i = 0; i < block; i++) {
            const ifn_block_q8_32f *x = a->x + r * a->x_stride + (j + i) / 32;
            sum += fabs((double)weights[i] * (double)x->d * (double)x->qs[(j + i) % 32]);
        }
    }
    return sum;
}

static void widen_linear_q8(const ifn_linear_q8_args *a, const conform_layout *l,
                            conform_truth *truth)
{
    int64_t i = 0;
    for (int t = 0; t < l->n; t++) {
        if (l->t[t].role != ROLE_OUT || i == a->n_w)
            continue;
        const ifn_tensor *w = a->w[i++];
        for (int64_t r = 0; r < a->rows; r++)
            for (int64_t f = 0; f < w->shape[0]; f++)
                add_to_bound(&truth[t], r * w->shape[0] + f,
                             conform_gamma((double)a->k + 3) * absolute_sum(a, w, f, r) +
                                 (double)a->k * SMIN);
    }
}

/* The largest visible |v| of a KV head, in f32 as decoded. */
static double largest_value(const ifn_attention_args *a, int64_t head)
{
    double largest = 0;
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    const int64_t kv_head = head * a->n_kv_heads / a->n_heads;
    const int64_t block = ifn_dtype_block_elements(a->cache_dtype);
    for (int64_t t = 0; t < a->first_pos + a->rows; t++) {
        const unsigned char *row =
            (const unsigned char *)a->v_cache + (size_t)(kv_head * a->max_pos + t) * row_bytes;
        for (int64_t c = 0; c < a->head_dim; c += block) {
            float v[32];
            if (ifn_dequantize_row(a->cache_dtype, row + ifn_dtype_row_bytes(a->cache_dtype, c), v,
                                   block))
                return (double)INFINITY;
            for (int64_t i = 0; i < block; i++)
                largest = fmax(largest, fabs((double)v[i]));
        }
    }
    return largest;
}

static void widen_attention(const ifn_attention_args *a, const conform_layout *l,
                            conform_truth *truth)
{
    conform_truth *out = &truth[conform_tensor_index(l, "out")];
    const double depth = (double)(a->first_pos + a->rows) + 6;
    for (int64_t h = 0; h < a->n_heads; h++) {
        const double extra = 2 * conform_gamma(depth) * largest_value(a, h) + depth * SMIN;
        for (int64_t r = 0; r < a->rows; r++)
            for (int64_t c = 0; c < a->head_dim; c++)
                add_to_bound(out, (r * a->n_heads + h) * a->head_dim + c, extra);
    }
}

void conform_law_widen(ifn_op op, const ifn_args *args, const conform_layout *l,
                       conform_truth *truth)
{
    if (op == IFN_OP_LINEAR_Q8)
        widen_linear_q8(&args->linear_q8, l, truth);
    else if (op == IFN_OP_ATTENTION)
        widen_attention(&args->attention, l, truth);
}
