/* Operands: which function knows them, and the shapes they come in. */
#include "op_operands.h"

static ifn_operand *add(ifn_operands *out, const ifn_operand *operand, const void *base)
{
    if (!base)
        return NULL;
    out->items[out->n] = *operand;
    return &out->items[out->n++];
}

static const void *at(const void *base, int64_t n, size_t bytes)
{
    return (const char *)base + (size_t)n * bytes;
}

static int64_t length(ifn_range r)
{
    return r.end - r.begin;
}

ifn_operand *ifn_operand_1d(ifn_operands *out, ifn_operand_role role, const char *name,
                            const void *base, int64_t n, ifn_range touched)
{
    ifn_operand *const added = ifn_operand_raw(out, role, name, base, n, sizeof(float), touched);
    if (added)
        added->dtype = IFN_DTYPE_F32;
    return added;
}

ifn_operand *ifn_operand_2d(ifn_operands *out, ifn_operand_role role, const char *name,
                            const void *base, int64_t n_rows, int64_t n_cols, ifn_range rows,
                            ifn_range cols)
{
    const size_t stride = (size_t)n_cols * sizeof(float);
    return add(
        out,
        &(ifn_operand){
            .name = name,
            .role = role,
            .dtype = IFN_DTYPE_F32,
            .n_dims = 2,
            .shape = {n_rows, n_cols},
            .data = base ? at(at(base, rows.begin, stride), cols.begin, sizeof(float)) : NULL,
            .rows = length(rows),
            .row_bytes = (size_t)length(cols) * sizeof(float),
            .stride_bytes = stride,
        },
        base);
}

ifn_operand *ifn_operand_stored(ifn_operands *out, ifn_operand_role role, const char *name,
                                const void *base, ifn_dtype dtype, int64_t n_rows, int64_t n_cols,
                                ifn_range rows)
{
    const size_t row_bytes = ifn_dtype_row_bytes(dtype, n_cols);
    return add(out,
               &(ifn_operand){
                   .name = name,
                   .role = role,
                   .dtype = dtype,
                   .n_dims = 2,
                   .shape = {n_rows, n_cols},
                   .data = base ? at(base, rows.begin, row_bytes) : NULL,
                   .rows = length(rows),
                   .row_bytes = row_bytes,
                   .stride_bytes = row_bytes,
               },
               base);
}

ifn_operand *ifn_operand_raw(ifn_operands *out, ifn_operand_role role, const char *name,
                             const void *base, int64_t n, size_t size, ifn_range touched)
{
    const size_t bytes = (size_t)length(touched) * size;
    return add(out,
               &(ifn_operand){
                   .name = name,
                   .role = role,
                   .dtype = IFN_DTYPE_COUNT,
                   .n_dims = 1,
                   .shape = {n},
                   .data = base ? at(base, touched.begin, size) : NULL,
                   .rows = 1,
                   .row_bytes = bytes,
                   .stride_bytes = bytes,
               },
               base);
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
