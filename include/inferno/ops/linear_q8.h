/* linear_q8: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_LINEAR_Q8_H
#define INFERNO_OPS_LINEAR_Q8_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/dtype.h>
#include <inferno/ops/linear.h>
#include <inferno/tensor.h>

/**
 * linear_q8: linear on activations that are Q8_32F already. Integer sums inside a block are exact.
 *
 * x  [rows, k / 32] blocks, rows x_stride blocks apart (x_stride >= k / 32); k a multiple of 32
 * w  quantized dtypes only; everything else as in linear
 *
 * Errors  IFN_ERR_SHAPE as for linear: n_w, weights, strides (x_stride < k / 32) however many rows
 *         there are, or k no multiple of 32
 */
typedef struct ifn_linear_q8_args {
    ifn_call call;
    int64_t part_begin, part_end;
    int64_t part2_begin, part2_end;
    const ifn_block_q8_32f *x;
    int64_t rows, k, x_stride;
    int64_t n_w;
    const ifn_tensor *w[IFN_LINEAR_MAX];
    const void *packed[IFN_LINEAR_MAX];
    float *out[IFN_LINEAR_MAX];
    const float *bias[IFN_LINEAR_MAX];
    int64_t out_stride[IFN_LINEAR_MAX];
} ifn_linear_q8_args;

/* clang-format off */
#define IFN_SIGNATURE_linear_q8 IFN_SIGNATURE_LINEAR_OF(Q8_32F)
/* clang-format on */

#define IFN_COST_linear_q8 OWN(linear_q8)

#endif
