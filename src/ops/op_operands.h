/*
 * Lists what a call reads and writes, derived from its arguments alone. Code that describes calls, counts
 * their bytes or reads their results uses this and need not know the op.
 */
#ifndef IFN_OP_OPERANDS_H
#define IFN_OP_OPERANDS_H

#include <stddef.h>
#include <stdint.h>

#include <inferno/signature.h>

#include "op_part.h"

/* An input, four weights, four biases, four outputs. */
enum { IFN_OPERANDS_MAX = 1 + 3 * IFN_LINEAR_MAX, IFN_OPERAND_DIMS = 3 };

typedef enum ifn_operand_role { IFN_OPERAND_READ, IFN_OPERAND_WRITTEN } ifn_operand_role;

/*
 * One buffer of a call. `shape` is that of the whole buffer, as in the op's header. The other sizes describe
 * only the memory that this call touches, which is less if it has a part: rows of row_bytes bytes,
 * stride_bytes apart, the first at `data`.
 */
typedef struct ifn_operand {
    const char *name;         /* as in the argument struct: "x", "w[1]". Static */
    const ifn_tensor *tensor; /* if the argument is one; else NULL */
    ifn_operand_role role;
    ifn_dtype dtype; /* IFN_DTYPE_COUNT: integers or bytes, not floats */
    int n_dims;
    int64_t shape[IFN_OPERAND_DIMS];
    const void *data; /* NULL if packed or without a constant stride: only sizes are valid */
    int64_t rows;
    size_t row_bytes, stride_bytes;
} ifn_operand;

typedef struct ifn_operands {
    size_t n;
    ifn_operand items[IFN_OPERANDS_MAX]; /* in the order of the formula, outputs last */
} ifn_operands;

/* The operands of a call whose arguments have passed ifn_op_check. Optional ones that are NULL are
 * left out. */
void ifn_op_operands(ifn_op op, const ifn_call *args, ifn_operands *out);

/*
 * Functions that append operands. If the argument is NULL, they add nothing and return NULL.
 */

/* Append one argument; append all arguments of a signature but the weights. */
ifn_operand *ifn_operand_add(ifn_operands *out, ifn_op op, const ifn_op_arg *a,
                             const ifn_call *args);
void ifn_operands_of_signature(ifn_operands *out, ifn_op op, const ifn_call *args);
/* Appends a contiguous [n_rows, n_cols] matrix of a dtype, of which the call touches `rows` */
ifn_operand *ifn_operand_rows(ifn_operands *out, ifn_operand_role role, const char *name,
                              const void *base, ifn_dtype dtype, int64_t n_rows, int64_t n_cols,
                              ifn_range rows);
/* Sets another shape for the same elements. */
void ifn_operand_shape(ifn_operand *operand, int n_dims, int64_t first, int64_t second,
                       int64_t third);

static inline ifn_range ifn_all_of(int64_t n)
{
    return (ifn_range){0, n};
}

/* The first and the second part of a call, as a range. */
#define IFN_PART(a, extent)  ifn_part((a)->part_begin, (a)->part_end, (extent))
#define IFN_PART2(a, extent) ifn_part((a)->part2_begin, (a)->part2_end, (extent))

#endif
