/* repeat_row_as_matrix: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_REPEAT_ROW_AS_MATRIX_H
#define INFERNO_OPS_REPEAT_ROW_AS_MATRIX_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * repeat_row_as_matrix: out[r,c] = x[c]
 *
 * out [rows, dim], x [dim]; no overlap
 * Split   rows
 */
typedef struct ifn_repeat_row_as_matrix_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, dim;
} ifn_repeat_row_as_matrix_args;

/* clang-format off */
#define IFN_SIGNATURE_repeat_row_as_matrix                                          \
    EXTENT(rows, 0) EXTENT(dim, 0)                                                  \
    IN(x, F32, ALL(dim))                                                            \
    OUT(out, F32, APART, PART(rows), ALL(dim))
/* clang-format on */

#define IFN_COST_repeat_row_as_matrix EACH(0, 0)

#endif
