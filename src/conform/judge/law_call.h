/* A call that a law makes: sizes of its arguments follow from its operands, its result from both. */
#ifndef CONFORM_LAW_CALL_H
#define CONFORM_LAW_CALL_H

#include <inferno/signature.h>

#include "spec_call.h"

enum { LAW_DIMS = 4, LAW_SIZES = 8 };

/* A tensor while a law runs: of the case, or made by an op. There is nothing between its rows. */
typedef struct law_tensor {
    bool is_left_out; /* an optional one that the case does not have */
    unsigned char *data;
    ifn_dtype dtype;
    int n_dims;
    int64_t dims[LAW_DIMS];
} law_tensor;

/* A size that follows from an operand, and the dimensions that it is the product of. */
typedef struct law_size {
    size_t at; /* where it stands in the arguments */
    int n;
    int64_t dims[LAW_DIMS], product;
} law_size;

/* Made for the law of another op. */
typedef struct law_call {
    ifn_op whose;
    ifn_op op;
    spec_call form;
    ifn_args args;
    int n_sizes;
    law_size sizes[LAW_SIZES];
} law_call;

/* Bytes of x from the dimension `first` on: 1: of a row along the first, 0: of all of it. */
size_t law_bytes_from(const law_tensor *x, int first);

/* IFN_ERR_SHAPE: "law of OP: WHAT: FOUND, expected EXPECTED MOST" */
ifn_status law_fail(ifn_op whose, const char *what, int64_t found, const char *expected,
                    int64_t most, ifn_error *err);

/* Makes x the argument. Errors  IFN_ERR_SHAPE if another operand has other sizes, or the dtype is wrong */
ifn_status law_call_bind(law_call *c, const ifn_op_arg *a, const law_tensor *x, ifn_error *err);

/* Makes x, whose sizes are those of the call, the argument. */
void law_call_point(law_call *c, const ifn_op_arg *a, const law_tensor *x);

/* What the call gives, as its signature has it; a dimension that operands have as several has them
 * again. It has no memory yet. */
ifn_status law_call_shape(const law_call *c, law_tensor *out, ifn_error *err);

#endif
