/* How tests state what an operand should be. */
#ifndef IFN_OPERAND_CASE_H
#define IFN_OPERAND_CASE_H

#include <string.h>

#include "legal_calls.h"
#include "op_operands.h"
#include "test.h"

/* Returns NULL if the call has no operand of this name. */
static inline const ifn_operand *operand_find(const ifn_operands *operands, const char *name)
{
    for (size_t i = 0; i < operands->n; i++)
        if (strcmp(operands->items[i].name, name) == 0)
            return &operands->items[i];
    return NULL;
}

/* OPERANDS(out, matmul, a.part_end = 1): the operands of the legal call with this change. */
#define OPERANDS(out, op, change)                                                                  \
    do {                                                                                           \
        ifn_##op##_args a = legal_##op();                                                          \
        change;                                                                                    \
        ifn_op_operands(op_by_name(#op), &a.call, out);                                            \
    } while (0)

static inline ifn_op op_by_name(const char *name)
{
    ifn_op op = IFN_OP_COUNT;
    assert_true(ifn_op_from_name(name, &op));
    return op;
}

/* The memory that an operand touches: from where, and how much. */
typedef struct touched {
    const void *data;
    int64_t rows;
    size_t row_bytes, stride_bytes;
} touched;

static inline void assert_touches(const ifn_operands *operands, const char *name, touched expected)
{
    const ifn_operand *const o = operand_find(operands, name);
    assert_that(o != NULL, "no operand %s", name);
    assert_that(o->data == expected.data, "%s: begins elsewhere", name);
    assert_that(o->rows == expected.rows && o->row_bytes == expected.row_bytes,
                "%s: %lld rows of %zu bytes, expected %lld of %zu", name, (long long)o->rows,
                o->row_bytes, (long long)expected.rows, expected.row_bytes);
    assert_that(o->stride_bytes == expected.stride_bytes, "%s: rows %zu bytes apart, expected %zu",
                name, o->stride_bytes, expected.stride_bytes);
}

static inline void assert_shape(const ifn_operands *operands, const char *name, int n_dims,
                                int64_t first, int64_t second, int64_t third)
{
    const ifn_operand *const o = operand_find(operands, name);
    const int64_t expected[] = {first, second, third};
    assert_that(o != NULL, "no operand %s", name);
    assert_int_equal(o->n_dims, n_dims);
    for (int i = 0; i < n_dims; i++)
        assert_int_equal(o->shape[i], expected[i]);
}

#endif
