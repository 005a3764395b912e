/* reshape_data: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_RESHAPE_DATA_H
#define INFERNO_OPS_RESHAPE_DATA_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * reshape_data: the elements of x [rows, cols] in order, as out [out_rows, out_cols]
 *
 * out, x  out may equal x; no other overlap
 * Split   elements
 * Errors  IFN_ERR_SHAPE unless rows * cols == out_rows * out_cols
 */
typedef struct ifn_reshape_data_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
    int64_t out_rows, out_cols;
} ifn_reshape_data_args;

/* clang-format off */
#define IFN_SIGNATURE_reshape_data                                                  \
    EXTENT(rows, 0) EXTENT(cols, 0) EXTENT(out_rows, 0) EXTENT(out_cols, 0)         \
    IN(x, F32, FLAT(rows), FLAT(cols))                                              \
    OUT(out, F32, EQUAL(x), FLAT(out_rows), FLAT(out_cols))
/* clang-format on */

#define IFN_COST_reshape_data EACH(0, 0)

#endif
