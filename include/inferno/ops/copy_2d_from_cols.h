/* copy_2d_from_cols: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_2D_FROM_COLS_H
#define INFERNO_OPS_COPY_2D_FROM_COLS_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_2d_from_cols: out[r,c] = x[r, col_begin + c]
 *
 * out [rows, cols], x [rows, x_cols]; no overlap
 * Split   rows
 * Errors  IFN_ERR_SHAPE unless 0 <= col_begin and col_begin + cols <= x_cols
 */
typedef struct ifn_copy_2d_from_cols_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols, x_cols, col_begin;
} ifn_copy_2d_from_cols_args;

/* clang-format off */
#define IFN_SIGNATURE_copy_2d_from_cols                                             \
    EXTENT(rows, 0) EXTENT(cols, 0) EXTENT(x_cols, 0)                               \
    PLACE(col_begin)                                                                \
    IN(x, F32, PART(rows), WINDOW(x_cols, col_begin, cols))                         \
    OUT(out, F32, APART, PART(rows), ALL(cols))
/* clang-format on */

#define IFN_COST_copy_2d_from_cols EACH(0, 0)

#endif
