/*
 * The fused ops: what each asks of its arguments, as include/inferno/ops.h says it. An output
 * overlaps nothing unless the op says so.
 */
#include "op_check_util.h"

#include <inttypes.h>

#include "checked.h"

_Static_assert(IFN_LINEAR_MAX == 4, "one name per weight below");
static const char *const w_names[] = {"w[0]", "w[1]", "w[2]", "w[3]"};
static const char *const out_names[] = {"out[0]", "out[1]", "out[2]", "out[3]"};
static const char *const stride_names[] = {"out_stride[0]", "out_stride[1]", "out_stride[2]",
                                           "out_stride[3]"};
static const char *const bias_names[] = {"bias[0]", "bias[1]", "bias[2]", "bias[3]"};

/* What linear and linear_q8 have in common: all but the type of x. */
typedef struct linear_view {
    int64_t rows, k, n_w;
    const ifn_tensor *const *w;
    const void *const *packed;
    float *const *out;
    const float *const *bias;
    const int64_t *out_stride;
    bool quantized_only;
} linear_view;

/* Rows of n elements of `bytes` bytes, `stride` elements apart. */
static op_region expect_strided(op_checker *c, const char *name, const char *stride_name,
                                const void *p, int64_t rows, int64_t n, int64_t stride,
                                size_t bytes)
{
    size_t row_bytes = 0, stride_bytes = 0;
    if (stride < n)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %" PRId64 ", expected %" PRId64 " or more",
                         stride_name, stride, n);
    else if (!ifn_mul_size((size_t)n, bytes, &row_bytes) ||
             !ifn_mul_size((size_t)stride, bytes, &stride_bytes))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s: larger than any memory", name);
    return ifn_expect_rows(c, name, p, rows, row_bytes, stride_bytes);
}

static void expect_linear_dtype_and_k(op_checker *c, const linear_view *l, const char *name,
                                      const ifn_tensor *w)
{
    if (w->shape[1] != l->k)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "%s %s: shape [%" PRId64 ", %" PRId64 "], expected [*, %" PRId64 "]", name,
                         w->name, w->shape[0], w->shape[1], l->k);
    if (l->quantized_only && !ifn_dtype_is_quantized(w->dtype))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "%s %s: dtype %s, expected a quantized one", name,
                         w->name, ifn_dtype_name(w->dtype));
}

/* One weight with its output and its bias. Returns its features. */
static int64_t check_linear_weight(op_checker *c, const linear_view *l, int64_t i, op_region *out,
                                   op_region *w, op_region *bias)
{
    *w = ifn_expect_weight(c, w_names[i], l->w[i], l->packed[i]);
    if (ifn_checker_ok(c))
        expect_linear_dtype_and_k(c, l, w_names[i], l->w[i]);
    const int64_t n = ifn_checker_ok(c) ? l->w[i]->shape[0] : 0;
    *out = expect_strided(c, out_names[i], stride_names[i], l->out[i], l->rows, n, l->out_stride[i],
                          sizeof(float));
    *bias = ifn_expect_f32(c, bias_names[i], l->bias[i], l->bias[i] ? 1 : 0, n);
    return n;
}

static void check_linear_weights(op_checker *c, const linear_view *l, const op_region *x)
{
    op_region out[IFN_LINEAR_MAX], w[IFN_LINEAR_MAX], bias[IFN_LINEAR_MAX];
    int64_t features = 0;
    for (int64_t i = 0; i < l->n_w; i++) {
        const int64_t n = check_linear_weight(c, l, i, &out[i], &w[i], &bias[i]);
        features = ifn_expect_sum(c, "features", features, n);
    }
    for (int64_t i = 0; i < l->n_w; i++) {
        ifn_expect_apart(c, &out[i], x);
        for (int64_t j = 0; j < l->n_w; j++) {
            ifn_expect_apart(c, &out[i], &w[j]);
            ifn_expect_apart(c, &out[i], &bias[j]);
            if (j < i)
                ifn_expect_apart(c, &out[i], &out[j]);
        }
    }
}

static void expect_n_w(op_checker *c, int64_t n_w)
{
    if (n_w < 1 || n_w > IFN_LINEAR_MAX)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "n_w %" PRId64 ", expected 1 to %d", n_w,
                         IFN_LINEAR_MAX);
}

void ifn_check_linear(op_checker *c, const ifn_linear_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, k);
    expect_n_w(c, a->n_w);
    if (!ifn_checker_ok(c))
        return;
    const op_region x =
        expect_strided(c, "x", "x_stride", a->x, a->rows, a->k, a->x_stride, sizeof *a->x);
    const linear_view view = {.rows = a->rows,
                              .k = a->k,
                              .n_w = a->n_w,
                              .w = a->w,
                              .packed = a->packed,
                              .out = a->out,
                              .bias = a->bias,
                              .out_stride = a->out_stride};
    check_linear_weights(c, &view, &x);
}

void ifn_check_linear_q8(op_checker *c, const ifn_linear_q8_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, k);
    expect_n_w(c, a->n_w);
    ifn_expect_row_bytes(c, "x", IFN_DTYPE_Q8_32F, "k", a->k);
    if (!ifn_checker_ok(c))
        return;
    const int64_t blocks = a->k / ifn_dtype_block_elements(IFN_DTYPE_Q8_32F);
    const op_region x =
        expect_strided(c, "x", "x_stride", a->x, a->rows, blocks, a->x_stride, sizeof *a->x);
    const linear_view view = {.rows = a->rows,
                              .k = a->k,
                              .n_w = a->n_w,
                              .w = a->w,
                              .packed = a->packed,
                              .out = a->out,
                              .bias = a->bias,
                              .out_stride = a->out_stride,
                              .quantized_only = true};
    check_linear_weights(c, &view, &x);
}

/* Rows in a dtype the caller chose, one after the other. */
static op_region expect_encoded(op_checker *c, const char *name, const void *p, int64_t rows,
                                size_t row_bytes)
{
    return ifn_expect_rows(c, name, p, rows, row_bytes, row_bytes);
}

void ifn_check_quantize_rows(op_checker *c, const ifn_quantize_rows_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    const size_t row_bytes = ifn_expect_row_bytes(c, "out_dtype", a->out_dtype, "cols", a->cols);
    const op_region out = expect_encoded(c, "out", a->out, a->rows, row_bytes);
    const op_region x = F32(c, a, x, a->rows, a->cols);
    ifn_expect_apart(c, &out, &x);
}

void ifn_check_dequantize_rows(op_checker *c, const ifn_dequantize_rows_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, cols);
    const size_t row_bytes = ifn_expect_row_bytes(c, "dtype", a->dtype, "cols", a->cols);
    const op_region out = F32(c, a, out, a->rows, a->cols);
    const op_region x = expect_encoded(c, "x", a->x, a->rows, row_bytes);
    ifn_expect_apart(c, &out, &x);
}

/* Rows of activations: f32, or Q8_32F for the integer dot products. */
static op_region expect_activations(op_checker *c, const void *out, int64_t rows, int64_t dim,
                                    ifn_dtype dtype)
{
    if (dtype != IFN_DTYPE_F32 && dtype != IFN_DTYPE_Q8_32F)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "out_dtype %s, expected F32 or Q8_32F",
                         ifn_dtype_name(dtype));
    return expect_encoded(c, "out", out, rows,
                          ifn_expect_row_bytes(c, "out_dtype", dtype, "dim", dim));
}

/* In place only where both sides are f32: a Q8_32F row would overwrite values not yet read. */
static void expect_apart_unless_f32(op_checker *c, ifn_dtype out_dtype, const op_region *out,
                                    const op_region *in)
{
    if (out_dtype == IFN_DTYPE_F32)
        ifn_expect_apart_or_equal(c, out, in);
    else
        ifn_expect_apart(c, out, in);
}

void ifn_check_rms_norm(op_checker *c, const ifn_rms_norm_args *a)
{
    EXTENT(c, a, rows);
    if (a->dim < 1)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "dim %" PRId64 ", expected 1 or more", a->dim);
    if (!(a->eps >= 0.0f))
        ifn_checker_fail(c, IFN_ERR_SHAPE, "eps %g, expected 0 or more", (double)a->eps);
    const op_region out = expect_activations(c, a->out, a->rows, a->dim, a->out_dtype);
    const op_region sum = F32(c, a, sum, a->sum ? a->rows : 0, a->dim);
    const op_region x = F32(c, a, x, a->rows, a->dim);
    const op_region add = F32(c, a, add, a->add ? a->rows : 0, a->dim);
    const op_region weight = F32(c, a, weight, 1, a->dim);
    expect_apart_unless_f32(c, a->out_dtype, &out, &x);
    ifn_expect_apart(c, &out, &sum);
    ifn_expect_apart(c, &out, &add);
    ifn_expect_apart(c, &out, &weight);
    ifn_expect_apart_or_equal(c, &sum, &x);
    ifn_expect_apart_or_equal(c, &sum, &add);
    ifn_expect_apart(c, &sum, &weight);
}

void ifn_check_swiglu(op_checker *c, const ifn_swiglu_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, dim);
    const op_region out = expect_activations(c, a->out, a->rows, a->dim, a->out_dtype);
    const op_region gate = F32(c, a, gate, a->rows, a->dim);
    const op_region up = F32(c, a, up, a->rows, a->dim);
    expect_apart_unless_f32(c, a->out_dtype, &out, &gate);
    expect_apart_unless_f32(c, a->out_dtype, &out, &up);
}

/* Bytes of one position of one head in the cache. */
static size_t expect_cache_row(op_checker *c, ifn_dtype dtype, int64_t head_dim)
{
    if (dtype != IFN_DTYPE_F32 && dtype != IFN_DTYPE_F16 && dtype != IFN_DTYPE_Q8_0)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "cache_dtype %s, expected F32, F16 or Q8_0",
                         ifn_dtype_name(dtype));
    return ifn_expect_row_bytes(c, "cache_dtype", dtype, "head_dim", head_dim);
}

void ifn_check_kv_store(op_checker *c, const ifn_kv_store_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, max_pos);
    EXTENT(c, a, n_kv_heads);
    EXTENT(c, a, head_dim);
    ifn_expect_window(c, "first_pos", a->first_pos, a->rows, a->max_pos);
    const size_t row_bytes = expect_cache_row(c, a->cache_dtype, a->head_dim);
    const int64_t cache_rows = ifn_expect_product(c, "k_cache", a->n_kv_heads, a->max_pos);
    const int64_t new_rows = ifn_expect_product(c, "k", a->rows, a->n_kv_heads);
    const op_region k_cache = expect_encoded(c, "k_cache", a->k_cache, cache_rows, row_bytes);
    const op_region v_cache = expect_encoded(c, "v_cache", a->v_cache, cache_rows, row_bytes);
    const op_region k = F32(c, a, k, new_rows, a->head_dim);
    const op_region v = F32(c, a, v, new_rows, a->head_dim);
    ifn_expect_apart(c, &k_cache, &v_cache);
    ifn_expect_apart(c, &k_cache, &k);
    ifn_expect_apart(c, &k_cache, &v);
    ifn_expect_apart(c, &v_cache, &k);
    ifn_expect_apart(c, &v_cache, &v);
}

static void expect_attention_shape(op_checker *c, const ifn_attention_args *a)
{
    EXTENT(c, a, rows);
    EXTENT(c, a, max_pos);
    EXTENT(c, a, n_heads);
    EXTENT(c, a, n_kv_heads);
    EXTENT(c, a, head_dim);
    ifn_expect_window(c, "first_pos", a->first_pos, a->rows, a->max_pos);
    if (a->n_kv_heads == 0 ? a->n_heads != 0 : a->n_heads % a->n_kv_heads != 0)
        ifn_checker_fail(c, IFN_ERR_SHAPE,
                         "n_heads %" PRId64 ", expected a multiple of n_kv_heads %" PRId64,
                         a->n_heads, a->n_kv_heads);
    if (a->phase < IFN_ATTENTION_WHOLE || a->phase > IFN_ATTENTION_MERGE)
        ifn_checker_fail(c, IFN_ERR_SHAPE, "phase %" PRId32 ", expected %d to %d", a->phase,
                         IFN_ATTENTION_WHOLE, IFN_ATTENTION_MERGE);
}

/* [rows, n_heads, blocks, 2 + head_dim]; the head_dim of a cache row leaves room for the 2. */
static op_region expect_partials(op_checker *c, const ifn_attention_args *a, int64_t q_rows)
{
    if (!ifn_checker_ok(c))
        return (op_region){.name = "partials"};
    const int64_t keys = a->first_pos + a->rows;
    const int64_t blocks = keys / IFN_ATTENTION_BLOCK + (keys % IFN_ATTENTION_BLOCK != 0);
    return F32(c, a, partials, ifn_expect_product(c, "partials", q_rows, blocks), 2 + a->head_dim);
}

/* A phase needs the buffers it reads or writes; the others may be NULL. */
void ifn_check_attention(op_checker *c, const ifn_attention_args *a)
{
    const bool reads_cache = a->phase != IFN_ATTENTION_MERGE;
    const bool writes_out = a->phase != IFN_ATTENTION_PARTIALS;
    const bool has_partials = a->phase != IFN_ATTENTION_WHOLE;
    expect_attention_shape(c, a);
    const size_t row_bytes = expect_cache_row(c, a->cache_dtype, a->head_dim);
    const int64_t cache_rows = ifn_expect_product(c, "k_cache", a->n_kv_heads, a->max_pos);
    const int64_t q_rows = ifn_expect_product(c, "q", a->rows, a->n_heads);
    const op_region inputs[] = {
        F32(c, a, q, reads_cache ? q_rows : 0, a->head_dim),
        expect_encoded(c, "k_cache", a->k_cache, reads_cache ? cache_rows : 0, row_bytes),
        expect_encoded(c, "v_cache", a->v_cache, reads_cache ? cache_rows : 0, row_bytes),
    };
    const op_region out = F32(c, a, out, writes_out ? q_rows : 0, a->head_dim);
    const op_region partials = expect_partials(c, a, has_partials ? q_rows : 0);
    ifn_expect_apart(c, &out, &partials);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        ifn_expect_apart(c, &out, &inputs[i]);
        ifn_expect_apart(c, &partials, &inputs[i]);
    }
}

void ifn_check_copy_in(op_checker *c, const ifn_copy_in_args *a)
{
    const op_region out = ifn_expect_rows(c, "out", a->out, 1, a->bytes, a->bytes);
    const op_region host = ifn_expect_rows(c, "host", a->host, 1, a->bytes, a->bytes);
    ifn_expect_apart(c, &out, &host);
}
