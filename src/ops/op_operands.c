/* Lists operands as signatures describe them. */
#include "op_operands.h"

#include <inferno/signature_values.h>

#include "op_split.h"

static int64_t length(ifn_range r)
{
    return r.end - r.begin;
}

/* Appends an operand. It is filled in field by field, in place, as a trace does this for every call. */
static ifn_operand *add(ifn_operands *out, ifn_operand_role role, const char *name, ifn_dtype dtype)
{
    ifn_operand *const o = &out->items[out->n++];
    o->name = name;
    o->tensor = NULL;
    o->role = role;
    o->dtype = dtype;
    return o;
}

static void touch(ifn_operand *o, const void *base, size_t offset, int64_t rows, size_t row_bytes,
                  size_t stride_bytes)
{
    o->data = (const char *)base + offset;
    o->rows = rows;
    o->row_bytes = row_bytes;
    o->stride_bytes = stride_bytes;
}

ifn_operand *ifn_operand_rows(ifn_operands *out, ifn_operand_role role, const char *name,
                              const void *base, ifn_dtype dtype, int64_t n_rows, int64_t n_cols,
                              ifn_range rows)
{
    if (!base)
        return NULL;
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, n_cols);
    ifn_operand *const o = add(out, role, name, dtype);
    ifn_operand_shape(o, 2, n_rows, n_cols, 0);
    touch(o, base, (size_t)rows.begin * row_bytes, length(rows), row_bytes, row_bytes);
    return o;
}

void ifn_operand_shape(ifn_operand *operand, int n_dims, int64_t first, int64_t second,
                       int64_t third)
{
    operand->n_dims = n_dims;
    operand->shape[0] = first;
    operand->shape[1] = second;
    operand->shape[2] = third;
}

/* The part of the call along a cut, within the `n` elements that begin at `after`, and counted from there. */
static ifn_range part_of(ifn_op op, const ifn_call *args, int axis, int64_t after, int64_t n)
{
    const ifn_range part = ifn_op_get_part(op, args, axis);
    return part.begin == 0 && part.end == 0 ? (ifn_range){0, n}
                                            : ifn_part_within(part, after, after + n);
}

static ifn_range touched(ifn_op op, const ifn_op_dim *d, const ifn_call *args)
{
    const int64_t begin = ifn_dim_begin(d, args), n = ifn_dim_touched(d, args, 0);
    ifn_range r = {0, n};
    if (ifn_dim_is_cut(d, args))
        r = part_of(op, args, d->cut == IFN_DIM_PART2, ifn_dim_after(d, args), n);
    return (ifn_range){begin + r.begin, begin + r.end};
}

/* Treats the operand as one row of all its elements, whatever its shape. */
static void touch_flat(ifn_operand *o, ifn_op op, const ifn_op_arg *a, const ifn_call *args)
{
    const ifn_range r = part_of(op, args, 0, 0, o->shape[0] * o->shape[1]);
    const size_t bytes = ifn_arg_row_bytes(a, args, length(r));
    touch(o, ifn_arg_pointer(a, args, 0), ifn_arg_row_bytes(a, args, r.begin), 1, bytes, bytes);
}

/* Bytes of n elements of the second dimension. With three dimensions each of these is a whole row of the last. */
static size_t bytes_of(const ifn_operand *o, const ifn_op_arg *a, const ifn_call *args, int64_t n)
{
    return o->n_dims < 3 ? ifn_arg_row_bytes(a, args, n)
                         : (size_t)n * ifn_arg_row_bytes(a, args, o->shape[2]);
}

ifn_operand *ifn_operand_add(ifn_operands *out, ifn_op op, const ifn_op_arg *a,
                             const ifn_call *args)
{
    const void *const base = ifn_arg_pointer(a, args, 0);
    const ifn_operand_role role = ifn_arg_is_written(a) ? IFN_OPERAND_WRITTEN : IFN_OPERAND_READ;
    int64_t shape[IFN_OPERAND_DIMS] = {0};
    ifn_range r[IFN_OPERAND_DIMS] = {{0, 0}};
    int n = 0;
    if (!base)
        return NULL;
    for (int i = 0; i < a->n_dims; i++) {
        if (!ifn_dim_is_there(&a->dims[i], args))
            continue;
        shape[n] = ifn_dim_length(&a->dims[i], args, 0);
        r[n++] = touched(op, &a->dims[i], args);
    }
    ifn_operand *const o = add(out, role, a->name, ifn_arg_dtype(a, args));
    ifn_operand_shape(o, n, shape[0], shape[1], shape[2]);
    if (a->dims[0].cut == IFN_DIM_FLAT) {
        touch_flat(o, op, a, args);
    } else if (n == 1) {
        const size_t bytes = ifn_arg_row_bytes(a, args, length(r[0]));
        touch(o, base, ifn_arg_row_bytes(a, args, r[0].begin), 1, bytes, bytes);
    } else {
        const size_t stride = bytes_of(o, a, args, shape[1]);
        touch(o, base, (size_t)r[0].begin * stride + bytes_of(o, a, args, r[1].begin), length(r[0]),
              bytes_of(o, a, args, length(r[1])), stride);
    }
    return o;
}

void ifn_operands_of_signature(ifn_operands *out, ifn_op op, const ifn_call *args)
{
    const ifn_op_signature s = ifn_op_signature_of(op);
    for (size_t i = 0; i < s.n; i++)
        if (ifn_arg_is_tensor(&s.args[i]))
            ifn_operand_add(out, op, &s.args[i], args);
}
