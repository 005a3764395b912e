#include "row_view.h"

#include <stddef.h>
#include <string.h>

static void add(row_view *v, const ifn_args *args, size_t at, size_t bytes, size_t stride,
                int is_out)
{
    const row_field f = {at, bytes, stride, is_out};
    if (conform_row_field(args, &f))
        v->fields[v->n_fields++] = f;
}

/* COUNT(op, n); IN(op, x, bytes); OUT(op, out, bytes): of the struct `a` at hand. */
#define COUNT(op, member) (v->n = a->member, v->count = offsetof(ifn_##op##_args, member))
#define IN(op, member, n_bytes)                                                                    \
    add(v, args, offsetof(ifn_##op##_args, member), (size_t)(n_bytes), (size_t)(n_bytes), 0)
#define OUT(op, member, n_bytes)                                                                   \
    add(v, args, offsetof(ifn_##op##_args, member), (size_t)(n_bytes), (size_t)(n_bytes), 1)

enum { F32 = sizeof(float) };

static void view_matmul(const ifn_args *args, row_view *v)
{
    const ifn_matmul_args *a = &args->matmul;
    COUNT(matmul, m);
    IN(matmul, a, a->n * F32);
    OUT(matmul, out, a->p * F32);
}

static void view_add(const ifn_args *args, row_view *v)
{
    const ifn_add_args *a = &args->add;
    COUNT(add, n);
    IN(add, x, F32);
    IN(add, y, F32);
    OUT(add, out, F32);
}

static void view_hadamard(const ifn_args *args, row_view *v)
{
    const ifn_hadamard_args *a = &args->hadamard;
    COUNT(hadamard, n);
    IN(hadamard, x, F32);
    IN(hadamard, y, F32);
    OUT(hadamard, out, F32);
}

static void view_scale(const ifn_args *args, row_view *v)
{
    const ifn_scale_args *a = &args->scale;
    COUNT(scale, n);
    IN(scale, x, F32);
    OUT(scale, out, F32);
}

static void view_add_scalar(const ifn_args *args, row_view *v)
{
    const ifn_add_scalar_args *a = &args->add_scalar;
    COUNT(add_scalar, n);
    IN(add_scalar, x, F32);
    OUT(add_scalar, out, F32);
}

static void view_silu(const ifn_args *args, row_view *v)
{
    const ifn_silu_args *a = &args->silu;
    COUNT(silu, n);
    IN(silu, x, F32);
    OUT(silu, out, F32);
}

static void view_rsqrt_elem(const ifn_args *args, row_view *v)
{
    const ifn_rsqrt_elem_args *a = &args->rsqrt_elem;
    COUNT(rsqrt_elem, n);
    IN(rsqrt_elem, x, F32);
    OUT(rsqrt_elem, out, F32);
}

/* Columns, which stay along axis 0, cannot be called for by themselves. */
static void view_sum_squares_axis(const ifn_args *args, row_view *v)
{
    const ifn_sum_squares_axis_args *a = &args->sum_squares_axis;
    if (a->axis != 1)
        return;
    COUNT(sum_squares_axis, rows);
    IN(sum_squares_axis, x, a->cols * F32);
    OUT(sum_squares_axis, out, F32);
}

static void view_broadcast_row_scalars(const ifn_args *args, row_view *v)
{
    const ifn_broadcast_row_scalars_args *a = &args->broadcast_row_scalars;
    COUNT(broadcast_row_scalars, rows);
    IN(broadcast_row_scalars, x, F32);
    OUT(broadcast_row_scalars, out, a->dim * F32);
}

static void view_repeat_row_as_matrix(const ifn_args *args, row_view *v)
{
    const ifn_repeat_row_as_matrix_args *a = &args->repeat_row_as_matrix;
    COUNT(repeat_row_as_matrix, rows);
    OUT(repeat_row_as_matrix, out, a->dim * F32);
}

static void view_softmax_rows(const ifn_args *args, row_view *v)
{
    const ifn_softmax_rows_args *a = &args->softmax_rows;
    COUNT(softmax_rows, rows);
    IN(softmax_rows, x, a->cols * F32);
    OUT(softmax_rows, out, a->cols * F32);
}

static void view_gather_rows(const ifn_args *args, row_view *v)
{
    const ifn_gather_rows_args *a = &args->gather_rows;
    COUNT(gather_rows, n);
    IN(gather_rows, ids, sizeof(int32_t));
    OUT(gather_rows, out, a->table->shape[1] * F32);
}

static void view_apply_rope(const ifn_args *args, row_view *v)
{
    const ifn_apply_rope_args *a = &args->apply_rope;
    COUNT(apply_rope, rows);
    IN(apply_rope, x, a->n_heads * a->head_dim * F32);
    IN(apply_rope, table, a->head_dim * F32);
    OUT(apply_rope, out, a->n_heads * a->head_dim * F32);
}

static void view_quantize_rows(const ifn_args *args, row_view *v)
{
    const ifn_quantize_rows_args *a = &args->quantize_rows;
    COUNT(quantize_rows, rows);
    IN(quantize_rows, x, a->cols * F32);
    OUT(quantize_rows, out, ifn_dtype_row_bytes(a->out_dtype, a->cols));
}

static void view_dequantize_rows(const ifn_args *args, row_view *v)
{
    const ifn_dequantize_rows_args *a = &args->dequantize_rows;
    COUNT(dequantize_rows, rows);
    IN(dequantize_rows, x, ifn_dtype_row_bytes(a->dtype, a->cols));
    OUT(dequantize_rows, out, a->cols * F32);
}

static void view_rms_norm(const ifn_args *args, row_view *v)
{
    const ifn_rms_norm_args *a = &args->rms_norm;
    COUNT(rms_norm, rows);
    IN(rms_norm, x, a->dim * F32);
    IN(rms_norm, add, a->dim * F32);
    OUT(rms_norm, sum, a->dim * F32);
    OUT(rms_norm, out, ifn_dtype_row_bytes(a->out_dtype, a->dim));
}

static void view_swiglu(const ifn_args *args, row_view *v)
{
    const ifn_swiglu_args *a = &args->swiglu;
    COUNT(swiglu, rows);
    IN(swiglu, gate, a->dim * F32);
    IN(swiglu, up, a->dim * F32);
    OUT(swiglu, out, ifn_dtype_row_bytes(a->out_dtype, a->dim));
}

/* Outputs of both linear ops; `out` is where the first pointer to one stands. */
static void add_outputs(row_view *v, const ifn_args *args, size_t out, const ifn_tensor *const *w,
                        const int64_t *out_stride, int64_t n_w)
{
    for (int64_t i = 0; i < n_w; i++)
        add(v, args, out + (size_t)i * sizeof(float *), (size_t)w[i]->shape[0] * F32,
            (size_t)out_stride[i] * F32, 1);
}

static void view_linear(const ifn_args *args, row_view *v)
{
    const ifn_linear_args *a = &args->linear;
    COUNT(linear, rows);
    add(v, args, offsetof(ifn_linear_args, x), (size_t)a->k * F32, (size_t)a->x_stride * F32, 0);
    add_outputs(v, args, offsetof(ifn_linear_args, out), a->w, a->out_stride, a->n_w);
}

static void view_linear_q8(const ifn_args *args, row_view *v)
{
    const ifn_linear_q8_args *a = &args->linear_q8;
    const size_t block = ifn_dtype_block_bytes(IFN_DTYPE_Q8_32F);
    COUNT(linear_q8, rows);
    add(v, args, offsetof(ifn_linear_q8_args, x), (size_t)(a->k / 32) * block,
        (size_t)a->x_stride * block, 0);
    add_outputs(v, args, offsetof(ifn_linear_q8_args, out), a->w, a->out_stride, a->n_w);
}

/* Of the ops that are not here the rows depend on where they are, or nothing is computed. */
static void (*const views[IFN_OP_COUNT])(const ifn_args *, row_view *) = {
    [IFN_OP_MATMUL] = view_matmul,
    [IFN_OP_ADD] = view_add,
    [IFN_OP_HADAMARD] = view_hadamard,
    [IFN_OP_SCALE] = view_scale,
    [IFN_OP_ADD_SCALAR] = view_add_scalar,
    [IFN_OP_SILU] = view_silu,
    [IFN_OP_RSQRT_ELEM] = view_rsqrt_elem,
    [IFN_OP_SUM_SQUARES_AXIS] = view_sum_squares_axis,
    [IFN_OP_BROADCAST_ROW_SCALARS] = view_broadcast_row_scalars,
    [IFN_OP_REPEAT_ROW_AS_MATRIX] = view_repeat_row_as_matrix,
    [IFN_OP_SOFTMAX_ROWS] = view_softmax_rows,
    [IFN_OP_GATHER_ROWS] = view_gather_rows,
    [IFN_OP_APPLY_ROPE] = view_apply_rope,
    [IFN_OP_QUANTIZE_ROWS] = view_quantize_rows,
    [IFN_OP_DEQUANTIZE_ROWS] = view_dequantize_rows,
    [IFN_OP_RMS_NORM] = view_rms_norm,
    [IFN_OP_SWIGLU] = view_swiglu,
    [IFN_OP_LINEAR] = view_linear,
    [IFN_OP_LINEAR_Q8] = view_linear_q8,
};

row_view conform_row_view(ifn_op op, const ifn_args *args)
{
    row_view v = {.n = 0};
    if (views[op])
        views[op](args, &v);
    return v;
}

bool conform_row_view_is_known(ifn_op op)
{
    return views[op] != NULL;
}

void *conform_row_field(const ifn_args *args, const row_field *field)
{
    void *data;
    memcpy(&data, args->room + field->at, sizeof data);
    return data;
}

void conform_row_field_set(ifn_args *args, const row_field *field, const void *data)
{
    memcpy(args->room + field->at, &data, sizeof data);
}

void conform_row_view_take(const row_view *view, ifn_args *args, int64_t begin, int64_t n)
{
    for (int i = 0; i < view->n_fields; i++) {
        const row_field *f = &view->fields[i];
        const unsigned char *first = conform_row_field(args, f);
        conform_row_field_set(args, f, first + (size_t)begin * f->stride);
    }
    memcpy(args->room + view->count, &n, sizeof n);
}
