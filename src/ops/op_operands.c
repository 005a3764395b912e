/* Operands: which function knows them, and the shapes they come in. */
#include "op_operands.h"

static const void *at(const void *base, int64_t n, size_t bytes)
{
    return (const char *)base + (size_t)n * bytes;
}

static int64_t length(ifn_range r)
{
    return r.end - r.begin;
}

/* Field by field into its place: a trace does this for every call of every op. */
static ifn_operand *add(ifn_operands *out, ifn_operand_role role, const char *name, ifn_dtype dtype)
{
    ifn_operand *const o = &out->items[out->n++];
    o->name = name;
    o->tensor = NULL;
    o->role = role;
    o->dtype = dtype;
    return o;
}

static void touch(ifn_operand *o, const void *data, int64_t rows, size_t row_bytes,
                  size_t stride_bytes)
{
    o->data = data;
    o->rows = rows;
    o->row_bytes = row_bytes;
    o->stride_bytes = stride_bytes;
}

ifn_operand *ifn_operand_1d(ifn_operands *out, ifn_operand_role role, const char *name,
                            const void *base, int64_t n, ifn_range touched)
{
    ifn_operand *const o = ifn_operand_raw(out, role, name, base, n, sizeof(float), touched);
    if (o)
        o->dtype = IFN_DTYPE_F32;
    return o;
}

ifn_operand *ifn_operand_2d(ifn_operands *out, ifn_operand_role role, const char *name,
                            const void *base, int64_t n_rows, int64_t n_cols, ifn_range rows,
                            ifn_range cols)
{
    const size_t stride = (size_t)n_cols * sizeof(float);
    if (!base)
        return NULL;
    ifn_operand *const o = add(out, role, name, IFN_DTYPE_F32);
    ifn_operand_shape(o, 2, n_rows, n_cols, 0);
    touch(o, at(at(base, rows.begin, stride), cols.begin, sizeof(float)), length(rows),
          (size_t)length(cols) * sizeof(float), stride);
    return o;
}

ifn_operand *ifn_operand_stored(ifn_operands *out, ifn_operand_role role, const char *name,
                                const void *base, ifn_dtype dtype, int64_t n_rows, int64_t n_cols,
                                ifn_range rows)
{
    if (!base)
        return NULL;
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, n_cols);
    ifn_operand *const o = add(out, role, name, dtype);
    ifn_operand_shape(o, 2, n_rows, n_cols, 0);
    touch(o, at(base, rows.begin, row_bytes), length(rows), row_bytes, row_bytes);
    return o;
}

ifn_operand *ifn_operand_raw(ifn_operands *out, ifn_operand_role role, const char *name,
                             const void *base, int64_t n, size_t size, ifn_range touched)
{
    const size_t bytes = (size_t)length(touched) * size;
    if (!base)
        return NULL;
    ifn_operand *const o = add(out, role, name, IFN_DTYPE_COUNT);
    ifn_operand_shape(o, 1, n, 0, 0);
    touch(o, at(base, touched.begin, size), 1, bytes, bytes);
    return o;
}

void ifn_operand_shape(ifn_operand *operand, int n_dims, int64_t first, int64_t second,
                       int64_t third)
{
    if (!operand)
        return;
    operand->n_dims = n_dims;
    operand->shape[0] = first;
    operand->shape[1] = second;
    operand->shape[2] = third;
}

void ifn_op_operands(ifn_op op, const ifn_call *args, ifn_operands *out)
{
    out->n = 0;
    switch (op) {
#define X(NAME, name, cut, cut2, doc)                                                              \
    case IFN_OP_##NAME:                                                                            \
        ifn_operands_##name(out, (const ifn_##name##_args *)args);                                 \
        break;
        IFN_OPS(X)
#undef X
    case IFN_OP_COUNT:
        break;
    }
}
