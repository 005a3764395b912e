/* linear: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_LINEAR_H
#define INFERNO_OPS_LINEAR_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/tensor.h>

/* Weights that one linear may share its input with: q k v; gate up. */
#define IFN_LINEAR_MAX 4

/**
 * linear: out_i[r,f] = sum_j x[r,j] * w_i[f,j] (+ bias_i[f]), for up to four weights that share x
 *
 * x       [rows, k] f32, rows x_stride elements apart (x_stride >= k)
 * w_i     [n_i, k], any storage dtype but Q8_32F
 * packed  a handle this backend made of w_i for this op (w_i is set all the same), or NULL: read w_i
 * out_i   [rows, n_i] f32, rows out_stride_i elements apart; no overlap
 * bias_i  [n_i], or NULL
 *
 * Split   output features (weight after weight, end to end); rows
 * Errors  IFN_ERR_SHAPE if n_w is not 1 .. IFN_LINEAR_MAX, a weight is no matrix with k columns of
 *         such a dtype, x_stride < k, or out_stride_i < n_i, however many rows there are
 */
typedef struct ifn_linear_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    const float *x;
    int64_t rows, k, x_stride;
    int64_t n_w;
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const void *packed[IFN_LINEAR_MAX];
    float *out[IFN_LINEAR_MAX];
    const float *bias[IFN_LINEAR_MAX];
    int64_t out_stride[IFN_LINEAR_MAX];
} ifn_linear_args;

/* clang-format off */
/* Irregular: the call states how many weights there are, and the dtype and shape of each. */
#define IFN_SIGNATURE_LINEAR_OF(x_element)                                          \
    EXTENT(rows, 0) EXTENT(k, 0) INTEGER(n_w, 1, IFN_LINEAR_MAX)                    \
    IN(x, x_element, PART2(rows), ALL(k)) STRIDES(x_stride, 1)                      \
    WEIGHT(w, IFN_LINEAR_MAX) PACKED(packed, IFN_LINEAR_MAX)                        \
    MANY_IN_OPT(bias, F32, FEATURES_OF(w))                                          \
    MANY_OUT(out, F32, PART2(rows), FEATURES_OF(w)) STRIDES(out_stride, IFN_LINEAR_MAX)

#define IFN_SIGNATURE_linear IFN_SIGNATURE_LINEAR_OF(F32)
/* clang-format on */

#define IFN_COST_linear OWN(linear)

#endif
