/* argmax_with_prob: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_ARGMAX_WITH_PROB_H
#define INFERNO_OPS_ARGMAX_WITH_PROB_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * argmax_with_prob: the index of the maximum, the lowest among equal ones, and the bits of x there. -0
 * equals +0. NaN never wins; all NaN: index 0. The value is a probability if x is the output of softmax_rows.
 *
 * index, value  one element each
 * x             [n], n >= 1, and at most 2^31
 * Errors  IFN_ERR_SHAPE if n < 1
 */
typedef struct ifn_argmax_with_prob_args {
    ifn_call call;
    int32_t *index;
    float *value;
    const float *x;
    int64_t n;
} ifn_argmax_with_prob_args;

/* clang-format off */
#define IFN_SIGNATURE_argmax_with_prob                                              \
    EXTENT(n, 1)                                                                    \
    IN(x, F32, ALL(n))                                                              \
    OUT(index, I32, APART, ONE)                                                     \
    OUT(value, F32, APART, ONE)
/* clang-format on */

#define IFN_COST_argmax_with_prob EACH(0, 0)

#endif
