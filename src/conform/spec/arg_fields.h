/* Sets the numbers of argument structs, and members of their weights, by name. */
#ifndef CONFORM_ARG_FIELDS_H
#define CONFORM_ARG_FIELDS_H

#include <inferno/ops.h>
#include <inferno/tensor.h>

/* Sets the scalar `name` of a call. Returns 1, or 0 where the op has none of that name. */
int conform_set_field(ifn_op op, ifn_args *args, const char *name, double value);

int conform_has_field(ifn_op op, const char *name);

/* 1 if the op has an integer scalar of that name. */
int conform_has_integer(ifn_op op, const char *name);

/* 1 if the name is that of a weight's member: w_1.dtype, w_1.n_dims, w_1.shape. */
int conform_is_weight_field(const char *name);

/* Sets the member of a weight that `name` gives to n whole numbers. Returns 1, or 0 if there is no such weight or
 * member, or the member does not hold n numbers. */
int conform_set_weight_field(ifn_tensor weights[IFN_LINEAR_MAX], const char *name,
                             const double *values, int64_t n);

#endif
