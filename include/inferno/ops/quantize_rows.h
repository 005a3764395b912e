/* quantize_rows: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_QUANTIZE_ROWS_H
#define INFERNO_OPS_QUANTIZE_ROWS_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/dtype.h>

/**
 * quantize_rows: out[r,:] = encode(x[r,:]). spec/numerics.md 8 defines scales, codes, ties and the
 * encoding of values that are not finite, for each dtype
 *
 * out  [rows, cols] of out_dtype, ifn_dtype_row_bytes apart; no overlap
 * x    [rows, cols] f32
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if cols does not fit the block of out_dtype, whatever rows is
 */
typedef struct ifn_quantize_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    const float *x;
    int64_t rows, cols;
    ifn_dtype out_dtype;
} ifn_quantize_rows_args;

/* clang-format off */
#define IFN_SIGNATURE_quantize_rows                                                 \
    EXTENT(rows, 0) EXTENT(cols, 0) DTYPE(out_dtype, ANY_DTYPE)                     \
    IN(x, F32, PART(rows), ALL(cols))                                               \
    OUT(out, STORED(out_dtype), APART, PART(rows), ALL(cols))
/* clang-format on */

#define IFN_COST_quantize_rows OWN(quantize_rows)

#endif
