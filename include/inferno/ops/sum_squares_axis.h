/* sum_squares_axis: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_SUM_SQUARES_AXIS_H
#define INFERNO_OPS_SUM_SQUARES_AXIS_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * sum_squares_axis: axis 1: out[r] = sum_c x[r,c]^2;  axis 0: out[c] = sum_r x[r,c]^2
 *
 * out   [rows] for axis 1, [cols] for axis 0; no overlap with x
 * x     [rows, cols]
 * axis  the axis that is summed over, 0 or 1
 *
 * Split   elements of out
 * Errors  IFN_ERR_SHAPE if axis is neither 0 nor 1
 */
typedef struct ifn_sum_squares_axis_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
    int32_t axis;
} ifn_sum_squares_axis_args;

/* clang-format off */
#define IFN_SIGNATURE_sum_squares_axis                                              \
    EXTENT(rows, 0) EXTENT(cols, 0) INTEGER(axis, 0, 1)                             \
    IN(x, F32, CUT_IF(rows, axis, 1), CUT_IF(cols, axis, 0))                        \
    OUT(out, F32, APART, LEFT_IF(rows, axis, 1), LEFT_IF(cols, axis, 0))
/* clang-format on */

#define IFN_COST_sum_squares_axis OWN(sum_squares_axis)

#endif
