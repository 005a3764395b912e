/* Finds the case of a call. For regular ops it follows from the signature; functions below treat the others. */
#include "call_view_ops.h"

#include <math.h>
#include <string.h>

#include <inferno/signature_values.h>

#include "attention_dims.h"
#include "linear_tensors.h"

/* Copies dims and dtypes of the case that are integer arguments of the call of the same name. */
static void take_numbers(const ifn_args *a, conform_case *c)
{
    const ifn_op_signature s = ifn_op_signature_of(c->op);
    const char *const *const names = conform_module_of(c->op)->dim_names;
    for (size_t i = 0; i < s.n; i++) {
        const int64_t value = ifn_arg_integer(&s.args[i], &a->call);
        if (s.args[i].kind == IFN_ARG_DTYPE)
            *(strcmp(s.args[i].name, "out_dtype") == 0 ? &c->out_dtype : &c->dtype) =
                (ifn_dtype)value;
        for (int d = 0; d < CONFORM_MAX_DIMS && names[d]; d++)
            if (s.args[i].kind < IFN_ARG_REAL && strcmp(s.args[i].name, names[d]) == 0)
                c->dim[d] = value;
    }
}

/* Finds tensor i of the case among the arguments of the call. The case may have a scalar argument as a tensor. */
static void take_tensor(const ifn_args *a, int i, call_view *out)
{
    const ifn_op_arg *const arg = ifn_op_arg_find(out->c.op, out->l.t[i].name);
    call_tensor *const t = &out->t[i];
    if (arg && arg->kind == IFN_ARG_REAL) {
        out->value = ifn_float_at(&a->call, arg->offset);
        t->is_value = 1;
    } else if (arg && ifn_arg_is_tensor(arg) && !out->l.t[i].absent) {
        t->data = (void *)(uintptr_t)ifn_arg_pointer(arg, &a->call, 0);
    }
}

/* Completes a view whose case has its dims. */
static const char *complete(const ifn_args *a, call_view *out)
{
    const char *const why = conform_view_complete(out, &a->call);
    for (int i = 0; !why && i < out->l.n; i++)
        take_tensor(a, i, out);
    return why;
}

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
    const char *const why = conform_view_complete(out, &a->call);
    if (why)
        return why;
    out->t[0].data = (void *)(uintptr_t)a->x;
    out->t[1].data = (void *)(uintptr_t)w->data;
    out->t[2].data = a->out[i];
    out->t[3].data = (void *)(uintptr_t)a->bias[i];
    out->t[0].stride = (size_t)a->x_stride * conform_element_bytes(&out->l.t[0]);
    out->t[2].stride = (size_t)a->out_stride[i] * sizeof(float);
    return NULL;
}

/* The two structs differ only in the type of x. */
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

/* The table of the case has only the rows that the call reads, one for each id. */
static const char *view_gather(const ifn_args *all, call_view *out)
{
    const ifn_gather_rows_args *const a = &all->gather_rows;
    out->c.dtype = a->table->dtype;
    out->c.prepared = a->packed != NULL;
    out->c.dim[1] = a->n;
    out->c.dim[2] = a->table->shape[1];
    const char *const why = complete(all, out);
    if (why)
        return why;
    out->t[0].data = (void *)(uintptr_t)a->table->data;
    out->t[0].map = a->ids;
    return NULL;
}

/* A case states eps as n, for eps = 10^-n; 0: eps is 0. */
static const char *view_norm(const ifn_args *all, call_view *out)
{
    const ifn_rms_norm_args *const a = &all->rms_norm;
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
    out->c.dim[3] = eps;
    return complete(all, out);
}

/* Units are heads: rows of k and v are [rows][head], rows of a cache [head][position]. `row` >= 0: only that row, and
 * of the cache only its position; -1: all. */
static const char *view_store(const ifn_args *all, int64_t row, call_view *out)
{
    const ifn_kv_store_args *const a = &all->kv_store;
    const int64_t first = row < 0 ? 0 : row, rows = row < 0 ? a->rows : 1;
    const int64_t from = row < 0 ? 0 : a->first_pos + row, take = row < 0 ? a->max_pos : 1;
    const size_t row_bytes = ifn_dtype_row_bytes(a->cache_dtype, a->head_dim);
    out->c.dim[0] = rows;
    out->c.dim[1] = row < 0 ? a->first_pos : 0;
    out->c.dim[2] = take - rows - out->c.dim[1];
    const size_t skip = (size_t)(first * a->n_kv_heads * a->head_dim) * sizeof(float);
    const char *const why = complete(all, out);
    for (int i = 0; !why && i < 4; i++) {
        out->t[i].data = (char *)out->t[i].data + (i < 2 ? skip : (size_t)from * row_bytes);
        out->t[i].rows.outer = i < 2 ? rows : 1;
        out->t[i].rows.inner = i < 2 ? 1 : a->max_pos;
        out->t[i].rows.take = i < 2 ? 1 : take;
    }
    return why;
}

static const char *view_attention(const ifn_args *all, int64_t row, call_view *out)
{
    const ifn_attention_args *const a = &all->attention;
    const int64_t first = row < 0 ? 0 : row, rows = row < 0 ? a->rows : 1;
    const int64_t first_pos = a->first_pos + first, group = a->n_heads / a->n_kv_heads;
    if (a->phase != IFN_ATTENTION_WHOLE)
        return "one of two phases";
    out->c.dim[ATTENTION_ROWS] = rows;
    out->c.dim[ATTENTION_FIRST_POS] = first_pos;
    out->c.dim[ATTENTION_GROUP] = group;
    if (conform_attention_scale(&out->c) != a->scale)
        return "a scale that is not 1/sqrt(head_dim)";
    const int64_t skip = first * a->n_heads * a->head_dim;
    const char *const why = complete(all, out);
    for (int i = 0; !why && i < 5; i++) {
        const bool is_cache = i == 1 || i == 2;
        if ((i == 0 || i == 4) && out->t[i].data)
            out->t[i].data = (float *)out->t[i].data + skip;
        out->t[i].rows.outer = is_cache ? 1 : rows;
        out->t[i].rows.inner = is_cache ? a->max_pos : group;
        out->t[i].rows.take = is_cache ? first_pos + rows : group;
    }
    return why;
}

/* The case copies n elements to the start of `out`; the offset moves the pointer. */
static const char *view_copy(const ifn_args *all, call_view *out)
{
    const ifn_copy_contiguous_into_args *const a = &all->copy_contiguous_into;
    out->c.dim[1] = a->n;
    out->c.dim[2] = 0;
    const char *const why = complete(all, out);
    if (!why)
        out->t[1].data = (char *)a->out + a->out_offset * 4;
    return why;
}

/* The case has a matrix of one row, the one that is copied. */
static const char *view_copy_row(const ifn_args *all, call_view *out)
{
    const ifn_copy_row_2d_args *const a = &all->copy_row_2d;
    out->c.dim[1] = 1;
    out->c.dim[4] = 0;
    const char *const why = complete(all, out);
    if (!why)
        out->t[0].data = (void *)(uintptr_t)(a->x + a->x_row * a->cols);
    return why;
}

/* Cases transpose the dimensions of a matrix, while a call may give any shape; so the case has one row of all
 * elements. */
static const char *view_reshape(const ifn_args *all, call_view *out)
{
    out->c.dim[0] = 1;
    out->c.dim[1] = all->reshape_data.rows * all->reshape_data.cols;
    return complete(all, out);
}

const char *conform_view_of(const ifn_args *a, int i, int64_t row, call_view *out)
{
    take_numbers(a, &out->c);
    switch (out->c.op) {
    case IFN_OP_SUM_SQUARES_AXIS: /* cases sum each row */
        return a->sum_squares_axis.axis == 1 ? complete(a, out) : "sums along columns";
    case IFN_OP_RESHAPE_DATA:
        return view_reshape(a, out);
    case IFN_OP_GATHER_ROWS:
        return view_gather(a, out);
    case IFN_OP_COPY_ROW_2D:
        return view_copy_row(a, out);
    case IFN_OP_COPY_CONTIGUOUS_INTO:
        return view_copy(a, out);
    case IFN_OP_LINEAR:
        return view_linear(&a->linear, i, out);
    case IFN_OP_LINEAR_Q8:
        return view_linear_q8(&a->linear_q8, i, out);
    case IFN_OP_RMS_NORM:
        return view_norm(a, out);
    case IFN_OP_KV_STORE:
        return view_store(a, row, out);
    case IFN_OP_ATTENTION:
        return view_attention(a, row, out);
    default:
        return complete(a, out);
    }
}
