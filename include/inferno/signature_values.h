/*
 * Reads the numbers of one call, and the lengths of its tensors' dimensions, by means of the signature.
 * Inline, as a trace does so for every call of every op, and so that a plugin can, too.
 *
 * Stability: stable; inline, so that a plugin has what it was built with.
 */
#ifndef INFERNO_SIGNATURE_VALUES_H
#define INFERNO_SIGNATURE_VALUES_H

#include <stdbool.h>
#include <string.h>

#include <inferno/signature.h>

/* Dtypes and strides do not count as numbers. */
static inline bool ifn_arg_is_number(const ifn_op_arg *a)
{
    return a->kind <= IFN_ARG_REAL;
}

static inline bool ifn_arg_is_tensor(const ifn_op_arg *a)
{
    return a->kind >= IFN_ARG_IN && a->kind <= IFN_ARG_BETWEEN;
}

static inline bool ifn_arg_is_written(const ifn_op_arg *a)
{
    return a->kind == IFN_ARG_OUT || a->kind == IFN_ARG_INOUT;
}

/* ifn_int64_at, ...: the member at an offset of an argument struct. */
#define IFN_READER(name, type)                                                                     \
    static inline type ifn_##name##_at(const ifn_call *args, size_t offset)                        \
    {                                                                                              \
        type value;                                                                                \
        memcpy(&value, (const char *)args + offset, sizeof value);                                 \
        return value;                                                                              \
    }
IFN_READER(int64, int64_t)
IFN_READER(int32, int32_t)
IFN_READER(float, float)
IFN_READER(size, size_t)
IFN_READER(dtype, ifn_dtype)
#undef IFN_READER

/* A whole number of any kind, a dtype among them. */
static inline int64_t ifn_arg_integer(const ifn_op_arg *a, const ifn_call *args)
{
    switch ((ifn_arg_kind)a->kind) {
    case IFN_ARG_INT32:
        return ifn_int32_at(args, a->offset);
    case IFN_ARG_BYTES:
        return (int64_t)ifn_size_at(args, a->offset);
    case IFN_ARG_DTYPE:
        return (int64_t)ifn_dtype_at(args, a->offset);
    default:
        return ifn_int64_at(args, a->offset);
    }
}

/* Sets a whole number of any kind, a dtype among them. */
static inline void ifn_arg_set_integer(const ifn_op_arg *a, ifn_call *args, int64_t value)
{
    char *const at = (char *)args + a->offset;
    const int32_t i32 = (int32_t)value;
    const size_t size = (size_t)value;
    const ifn_dtype dtype = (ifn_dtype)i32;
    if (a->kind == IFN_ARG_INT32)
        memcpy(at, &i32, sizeof i32);
    else if (a->kind == IFN_ARG_BYTES)
        memcpy(at, &size, sizeof size);
    else if (a->kind == IFN_ARG_DTYPE)
        memcpy(at, &dtype, sizeof dtype);
    else
        memcpy(at, &value, sizeof value);
}

/* The i-th pointer of a tensor, weight or handle. */
static inline const void *ifn_arg_pointer(const ifn_op_arg *a, const ifn_call *args, int i)
{
    const void *p;
    memcpy(&p, (const char *)args + a->offset + (size_t)i * sizeof p, sizeof p);
    return p;
}

/* The dtype of a tensor; IFN_DTYPE_COUNT if its elements are no floats. */
static inline ifn_dtype ifn_arg_dtype(const ifn_op_arg *a, const ifn_call *args)
{
    switch ((ifn_arg_element)a->element) {
    case IFN_ELEMENT_F32:
        return IFN_DTYPE_F32;
    case IFN_ELEMENT_Q8_32F:
        return IFN_DTYPE_Q8_32F;
    case IFN_ELEMENT_STORED:
        return ifn_dtype_at(args, a->dtype);
    default:
        return IFN_DTYPE_COUNT;
    }
}

/* Bytes of `cols` elements in a row. They must fit the dtype. */
static inline size_t ifn_arg_row_bytes(const ifn_op_arg *a, const ifn_call *args, int64_t cols)
{
    if (a->element == IFN_ELEMENT_BYTE)
        return (size_t)cols;
    if (a->element == IFN_ELEMENT_STORED || a->element == IFN_ELEMENT_Q8_32F)
        return ifn_dtype_row_bytes(ifn_arg_dtype(a, args), cols);
    return (size_t)cols * 4;
}

static inline bool ifn_dim_is_chosen(const ifn_op_dim *d, const ifn_call *args)
{
    return !d->choice || ifn_int32_at(args, d->choice) == d->chosen;
}

/* False if this call has no such dimension: `out` of sum_squares_axis is a row or a column. */
static inline bool ifn_dim_is_there(const ifn_op_dim *d, const ifn_call *args)
{
    return !d->is_left_out || ifn_dim_is_chosen(d, args);
}

/* Whether parts of the call cut it. */
static inline bool ifn_dim_is_cut(const ifn_op_dim *d, const ifn_call *args)
{
    return d->cut != IFN_DIM_WHOLE && ifn_dim_is_chosen(d, args);
}

/* The length of a dimension, for the i-th of an array of tensors; INT64_MAX if it does not fit. */
static inline int64_t ifn_dim_length(const ifn_op_dim *d, const ifn_call *args, int i)
{
    if (d->weight) {
        const ifn_tensor *w;
        memcpy(&w, (const char *)args + d->weight + (size_t)i * sizeof w, sizeof w);
        return w->shape[d->weight_axis];
    }
    if (d->is_size) {
        const uint64_t bytes = ifn_size_at(args, d->extent);
        return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
    }
    const int64_t n = d->extent ? ifn_int64_at(args, d->extent) : 1;
    const int64_t more = d->plus ? ifn_int64_at(args, d->plus) : 0;
    if (more > 0 && n > INT64_MAX - more)
        return INT64_MAX;
    return (int64_t)((uint64_t)n + (uint64_t)more); /* arbitrary in a call that is not checked */
}

/* The first element that the op touches, and below, how many it touches; all of them without a window. */
static inline int64_t ifn_dim_begin(const ifn_op_dim *d, const ifn_call *args)
{
    return d->begin ? ifn_int64_at(args, d->begin) : 0;
}

static inline int64_t ifn_dim_touched(const ifn_op_dim *d, const ifn_call *args, int i)
{
    if (!d->begin)
        return ifn_dim_length(d, args, i);
    return d->length ? ifn_int64_at(args, d->length) : 1;
}

/* Where along the cut the dimension begins. */
static inline int64_t ifn_dim_after(const ifn_op_dim *d, const ifn_call *args)
{
    return d->after ? ifn_int64_at(args, d->after) : 0;
}

#endif
