/* One function per op: which case a call is, and which of its pointers is which tensor of it. */
#include "call_view_ops.h"

#include <math.h>
#include <string.h>

#include "ops/attention.h"
#include "ops/linear_tensors.h"

static const char *view_linear(const ifn_linear_args *a, int i, call_view *out)
{
    const ifn_tensor *const w = a->w[i];
    conform_case *const c = &out->c;
    c->dtype = w->dtype;
    c->prepared = a->packed[i] != NULL;
    c->dim[LINEAR_ROWS] = a->rows;
    c->dim[LINEAR_N] = w->shape[0];
    c->dim[LINEAR_K] = a->k;
    c->dim[LINEAR_N_W] = 1;
    c->dim[LINEAR_BIAS] = a->bias[i] != NULL;
    out->weight = i;
    void *const data[] = {(void *)(uintptr_t)a->x, (void *)(uintptr_t)w->data, a->out[i],
                          (void *)(uintptr_t)a->bias[i]};
    const char *const why = conform_view_complete(out, data);
    if (why)
        return why;
    out->t[0].stride = (size_t)a->x_stride * conform_element_bytes(&out->l.t[0]);
    out->t[2].stride = (size_t)a->out_stride[i] * sizeof(float);
    return NULL;
}

/* Both structs are alike but for the type of x. */
static const char *view_linear_q8(const ifn_linear_q8_args *a, int i, call_view *out)
{
    ifn_linear_args f32 = {.x = (const void *)a->x,
                           .rows = a->rows,
                           .k = a->k,
                           .x_stride = a->x_stride,
                           .n_w = a->n_w};
    memcpy(f32.w, a->w, sizeof f32.w);
    memcpy(f32.packed, a->packed, sizeof f32.packed);
    memcpy(f32.out, a->out, sizeof f32.out);
    memcpy(f32.bias, a->bias, sizeof f32.bias);
    memcpy(f32.out_stride, a->out_stride, sizeof f32.out_stride);
    return view_linear(&f32, i, out);
}

/* The table becomes the rows that are asked for, one for each id. */
static const char *view_gather(const ifn_gather_rows_args *a, call_view *out)
{
    out->c.dtype = a->table->dtype;
    out->c.prepared = a->packed != NULL;
    out->c.dim[0] = out->c.dim[1] = a->n;
    out->c.dim[2] = a->table->shape[1];
    void *const data[] = {(void *)(uintptr_t)a->table->data, (void *)(uintptr_t)a->ids, a->out};
    const char *const why = conform_view_complete(out, data);
    if (!why)
        out->t[0].map = a->ids;
    return why;
}

/* eps is a power of ten in cases: its negated exponent. */
static const char *view_norm(const ifn_rms_norm_args *a, call_view *out)
{
    int64_t eps = 0;
    for (int64_t n = 1; n <= 30 && a->eps > 0; n++)
        if ((float)pow(10.0, -(double)n) == a->eps)
            eps = n;
    if (a->eps > 0 && !eps)
        return "an eps that is no power of ten";
    if (a->sum && !a->add)
        out->c.dim[2] = 3;
    else
        out->c.dim[2] = a->add ? 1 + (a->sum != NULL) : 0;
    out->c.out_dtype = a->out_dtype;
    out->c.dim[0] = a->rows;
    out->c.dim[1] = a->dim;
    out->c.dim[3] = eps;
    void *const data[] = {(void *)(uintptr_t)a->x, (void *)(uintptr_t)a->weight,
                          (void *)(uintptr_t)a->add, a->sum, a->out};
    return conform_view_complete(out, data);
}

/* Heads are the units of both: rows [rows][head] of k and v, [head][position] of a cache. `row`:
 * that one alone, -1: all; then its place in the cache is all there is of the cache. */
static const char *view_store(const ifn_kv_store_args *a, int64_t row, call_view *out)
{
    const int64_t first = row < 0 ? 0 : row, rows = row < 0 ? a->rows : 1;
    const int64_t from = row < 0 ? 0 : a->first_pos + row, take = row < 0 ? a->max_pos : 1;
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    out->c.dtype = a->cache_dtype;
    out->c.dim[0] = rows;
    out->c.dim[1] = row < 0 ? a->first_pos : 0;
    out->c.dim[2] = take - rows - out->c.dim[1];
    out->c.dim[3] = a->n_kv_heads;
    out->c.dim[4] = a->head_dim;
    const int64_t skip = first * a->n_kv_heads * a->head_dim;
    void *const data[] = {(void *)(uintptr_t)(a->k + skip), (void *)(uintptr_t)(a->v + skip),
                          (char *)a->k_cache + (size_t)from * row_bytes,
                          (char *)a->v_cache + (size_t)from * row_bytes};
    const char *const why = conform_view_complete(out, data);
    for (int i = 0; i < 4; i++) {
        out->t[i].rows.outer = i < 2 ? rows : 1;
        out->t[i].rows.inner = i < 2 ? 1 : a->max_pos;
        out->t[i].rows.take = i < 2 ? 1 : take;
    }
    return why;
}

static const char *view_attention(const ifn_attention_args *a, int64_t row, call_view *out)
{
    const int64_t first = row < 0 ? 0 : row, rows = row < 0 ? a->rows : 1;
    const int64_t first_pos = a->first_pos + first, group = a->n_heads / a->n_kv_heads;
    if (a->phase != IFN_ATTENTION_WHOLE)
        return "one of two phases";
    out->c.dtype = a->cache_dtype;
    out->c.dim[ATTENTION_ROWS] = rows;
    out->c.dim[ATTENTION_FIRST_POS] = first_pos;
    out->c.dim[ATTENTION_N_KV_HEADS] = a->n_kv_heads;
    out->c.dim[ATTENTION_GROUP] = group;
    out->c.dim[ATTENTION_HEAD_DIM] = a->head_dim;
    if (conform_attention_scale(&out->c) != a->scale)
        return "a scale that is not 1/sqrt(head_dim)";
    const int64_t skip = first * a->n_heads * a->head_dim;
    void *const data[] = {(void *)(uintptr_t)(a->q + skip), (void *)(uintptr_t)a->k_cache,
                          (void *)(uintptr_t)a->v_cache, NULL, a->out + skip};
    const char *const why = conform_view_complete(out, data);
    for (int i = 0; i < 5; i++) {
        const int is_cache = i == 1 || i == 2;
        out->t[i].rows.outer = is_cache ? 1 : rows;
        out->t[i].rows.inner = is_cache ? a->max_pos : group;
        out->t[i].rows.take = is_cache ? first_pos + rows : group;
    }
    return why;
}

static const char *view_value(call_view *out, const float *x, float value, float *y, int64_t n)
{
    out->value = value;
    out->c.dim[0] = n;
    void *const data[] = {(void *)(uintptr_t)x, NULL, y};
    const char *const why = conform_view_complete(out, data);
    out->t[1].is_value = 1;
    return why;
}

/* A run of elements, wherever it goes. */
static const char *view_copy(const ifn_copy_contiguous_into_args *a, call_view *out)
{
    out->c.dim[0] = out->c.dim[1] = a->n;
    out->c.dim[3] = a->to_host;
    void *const data[] = {(void *)(uintptr_t)a->x, (char *)a->out + a->out_offset * 4};
    return conform_view_complete(out, data);
}

static const char *view_copy_row(const ifn_copy_row_2d_args *a, call_view *out)
{
    out->c.dim[0] = a->out_rows;
    out->c.dim[1] = 1;
    out->c.dim[2] = a->cols;
    out->c.dim[3] = a->out_row;
    void *const data[] = {(void *)(uintptr_t)(a->x + a->x_row * a->cols), a->out};
    return conform_view_complete(out, data);
}

/* DIMS and DATA of an op that has nothing special. */
#define PLAIN(op, ...)                                                                             \
    static const char *view_##op(const ifn_##op##_args *a, call_view *out)                         \
    {                                                                                              \
        const int64_t dims[] = DIMS_##op;                                                          \
        const void *const tensors[] = {__VA_ARGS__};                                               \
        void *data[CONFORM_MAX_TENSORS] = {0};                                                     \
        memcpy(out->c.dim, dims, sizeof dims);                                                     \
        for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)                              \
            data[i] = (void *)(uintptr_t)tensors[i];                                               \
        return conform_view_complete(out, data);                                                   \
    }

#define DIMS_matmul                                                                                \
    {                                                                                              \
        a->m, a->n, a->p                                                                           \
    }
#define DIMS_add                                                                                   \
    {                                                                                              \
        a->n                                                                                       \
    }
#define DIMS_hadamard                                                                              \
    {                                                                                              \
        a->n                                                                                       \
    }
#define DIMS_silu                                                                                  \
    {                                                                                              \
        a->n                                                                                       \
    }
#define DIMS_rsqrt_elem                                                                            \
    {                                                                                              \
        a->n                                                                                       \
    }
#define DIMS_sum_squares_axis                                                                      \
    {                                                                                              \
        a->rows, a->cols, a->axis                                                                  \
    }
#define DIMS_broadcast_row_scalars                                                                 \
    {                                                                                              \
        a->rows, a->dim                                                                            \
    }
#define DIMS_repeat_row_as_matrix                                                                  \
    {                                                                                              \
        a->rows, a->dim                                                                            \
    }
#define DIMS_transpose_2d                                                                          \
    {                                                                                              \
        a->rows, a->cols                                                                           \
    }
#define DIMS_reshape_data                                                                          \
    {                                                                                              \
        1, a->rows * a->cols                                                                       \
    }
#define DIMS_softmax_rows                                                                          \
    {                                                                                              \
        a->rows, a->cols                                                                           \
    }
#define DIMS_copy_2d_from_cols                                                                     \
    {                                                                                              \
        a->rows, a->cols, a->x_cols, a->col_begin                                                  \
    }
#define DIMS_copy_2d_into_cols                                                                     \
    {                                                                                              \
        a->rows, a->cols, a->out_cols, a->col_begin                                                \
    }
#define DIMS_concat_dim0                                                                           \
    {                                                                                              \
        a->a_rows, a->b_rows, a->cols                                                              \
    }
#define DIMS_apply_rope                                                                            \
    {                                                                                              \
        a->rows, a->n_heads, a->head_dim, 0, a->pairing                                            \
    }
#define DIMS_apply_rope_single_row                                                                 \
    {                                                                                              \
        a->n_heads, a->head_dim, 0, a->pairing                                                     \
    }
#define DIMS_argmax_with_prob                                                                      \
    {                                                                                              \
        a->n                                                                                       \
    }
#define DIMS_quantize_rows                                                                         \
    {                                                                                              \
        a->rows, a->cols                                                                           \
    }
#define DIMS_dequantize_rows                                                                       \
    {                                                                                              \
        a->rows, a->cols                                                                           \
    }
#define DIMS_swiglu                                                                                \
    {                                                                                              \
        a->rows, a->dim                                                                            \
    }
#define DIMS_copy_in                                                                               \
    {                                                                                              \
        (int64_t) a->bytes                                                                         \
    }

PLAIN(matmul, a->a, a->b, a->out)
PLAIN(add, a->x, a->y, a->out)
PLAIN(hadamard, a->x, a->y, a->out)
PLAIN(silu, a->x, a->out)
PLAIN(rsqrt_elem, a->x, a->out)
PLAIN(sum_squares_axis, a->x, a->out)
PLAIN(broadcast_row_scalars, a->x, a->out)
PLAIN(repeat_row_as_matrix, a->x, a->out)
PLAIN(transpose_2d, a->x, a->out)
PLAIN(reshape_data, a->x, a->out)
PLAIN(softmax_rows, a->x, a->out)
PLAIN(copy_2d_from_cols, a->x, a->out)
PLAIN(copy_2d_into_cols, a->x, a->out)
PLAIN(concat_dim0, a->a, a->b, a->out)
PLAIN(apply_rope, a->x, a->table, a->out)
PLAIN(apply_rope_single_row, a->x, a->table, a->out)
PLAIN(argmax_with_prob, a->x, a->index, a->value)
PLAIN(quantize_rows, a->x, a->out)
PLAIN(dequantize_rows, a->x, a->out)
PLAIN(swiglu, a->gate, a->up, a->out)
PLAIN(copy_in, a->host, a->out)

/* Sums along columns: each column by itself. */
static const char *view_sums(const ifn_sum_squares_axis_args *a, call_view *out)
{
    return a->axis == 1 ? view_sum_squares_axis(a, out) : "sums along columns";
}

/* One after the other its rows are masked from another column on: judged as a whole. */
static const char *view_mask(const ifn_fill_strict_upper_tri_args *a, call_view *out)
{
    out->value = a->value;
    out->c.dim[0] = a->rows;
    out->c.dim[1] = a->cols;
    out->c.dim[2] = a->offset;
    void *const data[] = {a->x, NULL};
    const char *const why = conform_view_complete(out, data);
    out->t[1].is_value = 1;
    return why;
}

const char *conform_view_of(const ifn_args *a, int i, int64_t row, call_view *out)
{
    switch (out->c.op) {
#define PLAIN_CASE(NAME, name)                                                                     \
    case IFN_OP_##NAME:                                                                            \
        return view_##name(&a->name, out);
        PLAIN_CASE(MATMUL, matmul)
        PLAIN_CASE(ADD, add)
        PLAIN_CASE(HADAMARD, hadamard)
        PLAIN_CASE(SILU, silu)
        PLAIN_CASE(RSQRT_ELEM, rsqrt_elem)
        PLAIN_CASE(BROADCAST_ROW_SCALARS, broadcast_row_scalars)
        PLAIN_CASE(REPEAT_ROW_AS_MATRIX, repeat_row_as_matrix)
        PLAIN_CASE(TRANSPOSE_2D, transpose_2d)
        PLAIN_CASE(RESHAPE_DATA, reshape_data)
        PLAIN_CASE(SOFTMAX_ROWS, softmax_rows)
        PLAIN_CASE(COPY_2D_FROM_COLS, copy_2d_from_cols)
        PLAIN_CASE(COPY_2D_INTO_COLS, copy_2d_into_cols)
        PLAIN_CASE(CONCAT_DIM0, concat_dim0)
        PLAIN_CASE(APPLY_ROPE, apply_rope)
        PLAIN_CASE(APPLY_ROPE_SINGLE_ROW, apply_rope_single_row)
        PLAIN_CASE(ARGMAX_WITH_PROB, argmax_with_prob)
        PLAIN_CASE(COPY_IN, copy_in)
    case IFN_OP_SCALE:
        return view_value(out, a->scale.x, a->scale.value, a->scale.out, a->scale.n);
    case IFN_OP_ADD_SCALAR:
        return view_value(out, a->add_scalar.x, a->add_scalar.value, a->add_scalar.out,
                          a->add_scalar.n);
    case IFN_OP_SUM_SQUARES_AXIS:
        return view_sums(&a->sum_squares_axis, out);
    case IFN_OP_GATHER_ROWS:
        return view_gather(&a->gather_rows, out);
    case IFN_OP_FILL_STRICT_UPPER_TRI:
        return view_mask(&a->fill_strict_upper_tri, out);
    case IFN_OP_COPY_ROW_2D:
        return view_copy_row(&a->copy_row_2d, out);
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        return view_copy(&a->copy_contiguous_into, out);
    case IFN_OP_LINEAR:
        return view_linear(&a->linear, i, out);
    case IFN_OP_LINEAR_Q8:
        return view_linear_q8(&a->linear_q8, i, out);
    case IFN_OP_QUANTIZE_ROWS:
        out->c.out_dtype = a->quantize_rows.out_dtype;
        return view_quantize_rows(&a->quantize_rows, out);
    case IFN_OP_DEQUANTIZE_ROWS:
        out->c.dtype = a->dequantize_rows.dtype;
        return view_dequantize_rows(&a->dequantize_rows, out);
    case IFN_OP_RMS_NORM:
        return view_norm(&a->rms_norm, out);
    case IFN_OP_SWIGLU:
        out->c.out_dtype = a->swiglu.out_dtype;
        return view_swiglu(&a->swiglu, out);
    case IFN_OP_KV_STORE:
        return view_store(&a->kv_store, row, out);
    case IFN_OP_ATTENTION:
        return view_attention(&a->attention, row, out);
    case IFN_OP_COUNT:
        break;
    }
    return "no op";
}
