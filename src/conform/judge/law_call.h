/* A call that a composition law makes. The sizes among its arguments follow from its operands, and its result from
 * both. */
#ifndef CONFORM_LAW_CALL_H
#define CONFORM_LAW_CALL_H

#include <inferno/signature.h>

#include "spec_call.h"

enum { LAW_DIMS = 4, LAW_SIZES = 8 };

/* A tensor while a law runs: one of the case, or the result of an op. Its rows have no gaps. */
typedef struct law_tensor {
    bool is_left_out; /* an optional tensor that the case lacks */
    unsigned char *data;
    ifn_dtype dtype;
    int n_dims;
    int64_t dims[LAW_DIMS];
} law_tensor;

/* A size that follows from an operand: the product of the dimensions that have been bound. */
typedef struct law_size {
    size_t at; /* its offset in the arguments */
    int n;
    int64_t dims[LAW_DIMS], product;
} law_size;

/* `whose`: the op whose law makes this call of `op`. */
typedef struct law_call {
    ifn_op whose;
    ifn_op op;
    spec_call form;
    ifn_args args;
    int n_sizes;
    law_size sizes[LAW_SIZES];
} law_call;

/* Bytes of dimensions first, first + 1, .. of x. 1: of one row along dimension 0; 0: of the whole tensor. */
size_t law_bytes_from(const law_tensor *x, int first);

/* Fails with IFN_ERR_SHAPE, "law of OP: WHAT: FOUND, expected EXPECTED MOST". */
ifn_status law_fail(ifn_op whose, const char *what, int64_t found, const char *expected,
                    int64_t most, ifn_error *err);

/* Makes x the argument `a` and takes sizes from it. Errors  IFN_ERR_SHAPE if another operand has other sizes, or the
 * dtype is wrong */
ifn_status law_call_bind(law_call *c, const ifn_op_arg *a, const law_tensor *x, ifn_error *err);

/* Makes x, which already has the sizes of the call, the argument `a`. */
void law_call_point(law_call *c, const ifn_op_arg *a, const law_tensor *x);

/* The dtype and dimensions of the call's result by its signature; a dimension that operands split into several is split
 * again. The result gets no memory yet. */
ifn_status law_call_shape(const law_call *c, law_tensor *out, ifn_error *err);

#endif
