/*
 * Building blocks for the checks of ops. A checker keeps the first error and then skips all further
 * expectations, so that a check reads as a plain list.
 */
#ifndef IFN_OP_CHECK_UTIL_H
#define IFN_OP_CHECK_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <inferno/signature.h>

#include "op_part.h"

typedef struct op_checker {
    const char *op;
    ifn_error *err; /* may be NULL */
    ifn_status status;
    bool is_blind; /* tensors are in a device's memory and must not be read */
} op_checker;

/* The memory of an argument: rows of row_bytes bytes, stride_bytes apart. */
typedef struct op_region {
    const char *name;
    uintptr_t base;
    size_t row_bytes, stride_bytes; /* stride_bytes >= row_bytes; row_bytes 0: empty */
    size_t rows;
} op_region;

static inline bool ifn_checker_ok(const op_checker *c)
{
    return c->status == IFN_OK;
}

/* Records an error, unless there already is one. The message is "<op>: " and then the format. */
void ifn_checker_fail(op_checker *c, ifn_status status, const char *format, ...) IFN_PRINTF(3, 4);

/* Expects 0 <= begin <= end <= extent; 0, 0, which is in this range, means all. */
void ifn_expect_part(op_checker *c, const char *name, ifn_range part, int64_t extent);

/* Expects the window of n elements from `begin` on to lie inside [0, extent). */
void ifn_expect_window(op_checker *c, const char *name, int64_t begin, int64_t n, int64_t extent);

/* a + b and a * b of two extents; 0, and a failure that names `name`, if no memory could hold that many.
 */
int64_t ifn_expect_sum(op_checker *c, const char *name, int64_t a, int64_t b);
int64_t ifn_expect_product(op_checker *c, const char *name, int64_t a, int64_t b);

/* Bytes of a row of `cols` elements; fails if `dtype` is not a dtype or has no rows of that length. */
size_t ifn_expect_row_bytes(op_checker *c, const char *dtype_name, ifn_dtype dtype,
                            const char *cols_name, int64_t cols);

/* Return the region of an argument; they expect it to fit in the address space and, unless empty, not to be NULL. */
op_region ifn_expect_rows(op_checker *c, const char *name, const void *p, int64_t rows,
                          size_t row_bytes, size_t stride_bytes);
op_region ifn_expect_elements(op_checker *c, const char *name, const void *p, int64_t n,
                              size_t bytes);
op_region ifn_expect_f32(op_checker *c, const char *name, const float *p, int64_t rows,
                         int64_t cols);

/* Expects a weight: two dimensions, a dtype that files can hold, and memory unless it is read through `packed`. */
op_region ifn_expect_weight(op_checker *c, const char *name, const ifn_tensor *w,
                            const void *packed);

/* Expects that no byte of `written` also belongs to `other`. */
void ifn_expect_apart(op_checker *c, const op_region *written, const op_region *other);

/* The same, but allows both regions to be identical: exact in-place use. */
void ifn_expect_apart_or_equal(op_checker *c, const op_region *written, const op_region *other);

/* Expect what the op's signature says: of numbers and windows; of one tensor; of all tensors and their overlaps. */
void ifn_expect_numbers(op_checker *c, ifn_op op, const ifn_call *args);
op_region ifn_expect_tensor(op_checker *c, ifn_op op, const ifn_op_arg *a, const ifn_call *args);
void ifn_expect_tensors(op_checker *c, ifn_op op, const ifn_call *args);

/* The checks of ops whose tensors a signature cannot fully describe. */
void ifn_check_linear(op_checker *c, const ifn_linear_args *a);
void ifn_check_linear_q8(op_checker *c, const ifn_linear_q8_args *a);
void ifn_check_reshape_data(op_checker *c, const ifn_reshape_data_args *a);
void ifn_check_gather_rows(op_checker *c, const ifn_gather_rows_args *a);
void ifn_check_kv_store(op_checker *c, const ifn_kv_store_args *a);
void ifn_check_attention(op_checker *c, const ifn_attention_args *a);

#endif
