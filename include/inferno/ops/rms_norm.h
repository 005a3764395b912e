/* rms_norm: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_RMS_NORM_H
#define INFERNO_OPS_RMS_NORM_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/dtype.h>

/**
 * rms_norm: out[r,i] = s[r,i] / sqrt(mean_i(s[r,i]^2) + eps) * weight[i],  s = x + add
 *
 * out     [rows, dim] out_dtype   may equal x if f32 (and x is not add); no other overlap: Q8_32F blocks
 *                                 never overwrite their own input
 * sum     [rows, dim] f32         receives s; may equal x or add, not out; NULL if not wanted
 * x       [rows, dim] f32
 * add     [rows, dim] f32         NULL: s = x
 * weight  [dim]       f32
 * eps     >= 0, added to the mean square
 * out_dtype  F32, or Q8_32F (dim a multiple of 32): the bits of quantize_rows on the f32 result
 *
 * Split   rows
 * Domain  sums of squares below 2^127: a sum that overflows f32 may give 0. Mean square plus eps at least
 *         2^-120: smaller squares may underflow. With eps = 0 a row of zeros gives NaN
 * Errors  IFN_ERR_SHAPE if dim < 1, eps is below 0 or NaN, or out_dtype does not fit
 * Source  arXiv:1910.07467
 */
typedef struct ifn_rms_norm_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    float *sum;
    const float *x, *add, *weight;
    int64_t rows, dim;
    float eps;
    ifn_dtype out_dtype;
} ifn_rms_norm_args;

/* clang-format off */
#define IFN_SIGNATURE_rms_norm                                                      \
    EXTENT(rows, 0) EXTENT(dim, 1) REAL(eps, 0) DTYPE(out_dtype, ACTIVATION_DTYPES) \
    IN(x, F32, PART(rows), ALL(dim))                                                \
    IN_OPT(add, F32, PART(rows), ALL(dim))                                          \
    IN(weight, F32, ALL(dim))                                                       \
    OUT(out, STORED(out_dtype), EQUAL(x), PART(rows), ALL(dim))                     \
    OUT_OPT(sum, F32, EITHER(x, add), PART(rows), ALL(dim))
/* clang-format on */

#define IFN_COST_rms_norm OWN(rms_norm)

#endif
