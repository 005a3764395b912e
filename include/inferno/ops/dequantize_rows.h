/* dequantize_rows: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_DEQUANTIZE_ROWS_H
#define INFERNO_OPS_DEQUANTIZE_ROWS_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/dtype.h>

/**
 * dequantize_rows: out[r,:] = decode(x[r,:])
 *
 * out  [rows, cols] f32
 * x    [rows, cols] of dtype, ifn_dtype_row_bytes apart; no overlap
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if cols does not fit the block of dtype, whatever rows is
 */
typedef struct ifn_dequantize_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const void *x;
    int64_t rows, cols;
    ifn_dtype dtype;
} ifn_dequantize_rows_args;

/* clang-format off */
#define IFN_SIGNATURE_dequantize_rows                                               \
    EXTENT(rows, 0) EXTENT(cols, 0) DTYPE(dtype, ANY_DTYPE)                         \
    IN(x, STORED(dtype), PART(rows), ALL(cols))                                     \
    OUT(out, F32, APART, PART(rows), ALL(cols))
/* clang-format on */

#define IFN_COST_dequantize_rows EACH(0, 0)

#endif
