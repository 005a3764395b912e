/* What signatures say about one call: its numbers, and how long the dimensions of its tensors are.
 */
#ifndef IFN_OP_SIGNATURE_H
#define IFN_OP_SIGNATURE_H

#include <stdbool.h>

#include <inferno/signature.h>

#include "op_part.h"

static inline bool ifn_arg_is_tensor(const ifn_op_arg *a)
{
    return a->kind >= IFN_ARG_IN && a->kind <= IFN_ARG_BETWEEN;
}

static inline bool ifn_arg_is_written(const ifn_op_arg *a)
{
    return a->kind == IFN_ARG_OUT || a->kind == IFN_ARG_INOUT;
}

/* A whole number of any kind, a dtype among them. */
int64_t ifn_arg_integer(const ifn_op_arg *a, const ifn_call *args);
float ifn_arg_real(const ifn_op_arg *a, const ifn_call *args);
/* The i-th pointer of a tensor, weight or handle. */
const void *ifn_arg_pointer(const ifn_op_arg *a, const ifn_call *args, int i);

/* The dtype of a tensor; IFN_DTYPE_COUNT where its elements are no floats. */
ifn_dtype ifn_arg_dtype(const ifn_op_arg *a, const ifn_call *args);
/* Bytes of `cols` elements in a row. They must fit the dtype. */
size_t ifn_arg_row_bytes(const ifn_op_arg *a, const ifn_call *args, int64_t cols);

/* The name of the argument at an offset of the struct; "" for none. */
const char *ifn_arg_name_at(ifn_op op, size_t offset);

/* False where this call has no such dimension: out of sum_squares_axis is a row or a column. */
bool ifn_dim_is_there(const ifn_op_dim *d, const ifn_call *args);
/* Whether parts of the call cut it. */
bool ifn_dim_is_cut(const ifn_op_dim *d, const ifn_call *args);

/* How long, of the i-th of an array of tensors. What does not fit is INT64_MAX. */
int64_t ifn_dim_length(const ifn_op_dim *d, const ifn_call *args, int i);
/* What is touched of it: `n` from `begin` on; all of it where there is no window. */
int64_t ifn_dim_begin(const ifn_op_dim *d, const ifn_call *args);
int64_t ifn_dim_touched(const ifn_op_dim *d, const ifn_call *args, int i);

#endif
