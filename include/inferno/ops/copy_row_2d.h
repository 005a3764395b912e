/* copy_row_2d: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_ROW_2D_H
#define INFERNO_OPS_COPY_ROW_2D_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_row_2d: out[out_row,:] = x[x_row,:]
 *
 * out [out_rows, cols], x [x_rows, cols]; no overlap
 * Errors  IFN_ERR_SHAPE unless 0 <= out_row < out_rows and 0 <= x_row < x_rows, also if cols is 0
 */
typedef struct ifn_copy_row_2d_args {
    ifn_call call;
    float *out;
    const float *x;
    int64_t out_rows, x_rows, cols;
    int64_t out_row, x_row;
} ifn_copy_row_2d_args;

/* clang-format off */
#define IFN_SIGNATURE_copy_row_2d                                                   \
    EXTENT(out_rows, 0) EXTENT(x_rows, 0) EXTENT(cols, 0)                           \
    PLACE(out_row) PLACE(x_row)                                                     \
    IN(x, F32, ROW(x_rows, x_row), ALL(cols))                                       \
    INOUT(out, F32, ROW(out_rows, out_row), ALL(cols))
/* clang-format on */

#define IFN_COST_copy_row_2d EACH(0, 0)

#endif
