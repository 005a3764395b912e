/* copy_2d_into_cols: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_2D_INTO_COLS_H
#define INFERNO_OPS_COPY_2D_INTO_COLS_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_2d_into_cols: out[r, col_begin + c] = x[r,c]; other columns of out keep their bits
 *
 * out [rows, out_cols], x [rows, cols]; no overlap
 * Split   rows
 * Errors  IFN_ERR_SHAPE unless 0 <= col_begin and col_begin + cols <= out_cols
 */
typedef struct ifn_copy_2d_into_cols_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols, out_cols, col_begin;
} ifn_copy_2d_into_cols_args;

/* clang-format off */
#define IFN_SIGNATURE_copy_2d_into_cols                                             \
    EXTENT(rows, 0) EXTENT(cols, 0) EXTENT(out_cols, 0)                             \
    PLACE(col_begin)                                                                \
    IN(x, F32, PART(rows), ALL(cols))                                               \
    INOUT(out, F32, PART(rows), WINDOW(out_cols, col_begin, cols))
/* clang-format on */

#define IFN_COST_copy_2d_into_cols EACH(0, 0)

#endif
