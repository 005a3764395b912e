#include "row_view.h"

#include <stddef.h>
#include <string.h>

#include <inferno/signature_values.h>

/* The axis of parts that cuts rows or elements; -1: neither does. */
static int axis_of_rows(ifn_op op)
{
    for (int axis = 0; axis < 2; axis++) {
        const ifn_cut cut = ifn_op_cut(op, axis);
        if (cut == IFN_CUT_ROWS || cut == IFN_CUT_ELEMENTS)
            return axis;
    }
    return -1;
}

static bool goes_along(const ifn_op_dim *d, int axis)
{
    return d->cut == (axis == 0 ? IFN_DIM_PART : IFN_DIM_PART2);
}

/* True if rows are the first dimension of the tensor and plain: no window, no sum of two sizes. */
static bool has_plain_rows(const ifn_op_arg *a, int axis)
{
    for (int i = 0; i < a->n_dims; i++) {
        const ifn_op_dim *const d = &a->dims[i];
        if (d->cut == IFN_DIM_FLAT || d->begin || d->plus || d->after ||
            (i > 0 && goes_along(d, axis) && !d->choice))
            return false;
    }
    return true;
}

bool conform_row_view_is_known(ifn_op op)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const int axis = axis_of_rows(op);
    for (size_t i = 0; i < s.n && axis >= 0; i++)
        if (s.args[i].kind == IFN_ARG_INOUT || !has_plain_rows(&s.args[i], axis))
            return false;
    return axis >= 0;
}

/* The dimension of rows; NULL if this tensor, or this call, has none. */
static const ifn_op_dim *rows_of(const ifn_op_arg *a, int axis, const ifn_call *args)
{
    const ifn_op_dim *const d = &a->dims[0];
    return ifn_arg_is_tensor(a) && goes_along(d, axis) && ifn_dim_is_cut(d, args) ? d : NULL;
}

/* The bytes of a row, which is all dimensions after the first, in the i-th tensor of an array. */
static size_t row_bytes(const ifn_op_arg *a, const ifn_call *args, int i)
{
    int64_t cols = 1, n = 1;
    for (int k = 1; k < a->n_dims; k++) {
        if (!ifn_dim_is_there(&a->dims[k], args))
            continue;
        n *= cols;
        cols = ifn_dim_length(&a->dims[k], args, i);
    }
    return (size_t)n * ifn_arg_row_bytes(a, args, cols);
}

/* The bytes from row to row of the i-th tensor that has these strides. */
static size_t stride_bytes(const ifn_op_arg *a, const ifn_op_arg *strides, const ifn_call *args,
                           int i)
{
    const size_t at = strides->offset + (size_t)i * sizeof(int64_t);
    return (size_t)ifn_int64_at(args, at) * ifn_dtype_block_bytes(ifn_arg_dtype(a, args));
}

/* Adds the field of a tensor. In a signature the strides of a tensor follow right after it. */
static void add_rows(row_view *v, const ifn_op_signature *s, size_t at, const ifn_args *args, int i)
{
    const ifn_op_arg *const a = &s->args[at];
    const bool has_stride = at + 1 < s->n && a[1].kind == IFN_ARG_STRIDE;
    row_field f = {.at = a->offset + (size_t)i * sizeof(void *), .is_out = ifn_arg_is_written(a)};
    if (!conform_row_field(args, &f))
        return;
    f.bytes = row_bytes(a, &args->call, i);
    f.stride = has_stride ? stride_bytes(a, &a[1], &args->call, i) : f.bytes;
    v->fields[v->n_fields++] = f;
}

row_view conform_row_view(ifn_op op, const ifn_args *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    const ifn_op_arg *const n_w = ifn_op_arg_find(op, "n_w");
    const int axis = axis_of_rows(op);
    row_view v = {.n = 0};
    if (!conform_row_view_is_known(op))
        return v;
    for (size_t at = 0; at < s.n; at++) {
        const ifn_op_dim *const d = rows_of(&s.args[at], axis, &args->call);
        const int64_t n = s.args[at].count > 1 ? ifn_arg_integer(n_w, &args->call) : 1;
        if (!d)
            continue;
        v.n = ifn_dim_length(d, &args->call, 0);
        v.count = d->extent;
        for (int i = 0; i < n; i++)
            add_rows(&v, &s, at, args, i);
    }
    return v;
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
