/* softmax_rows: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_SOFTMAX_ROWS_H
#define INFERNO_OPS_SOFTMAX_ROWS_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * softmax_rows: out[r,c] = e^(x[r,c] - m_r) / sum_j e^(x[r,j] - m_r),  m_r = max_j x[r,j]
 *
 * out, x  [rows, cols]   out may equal x; no other overlap
 * A row that is all -inf, or holds +inf or NaN, gives NaN in every element. The backend may sum in any
 * order, also with a running maximum that rescales the sum.
 * Split   rows
 */
typedef struct ifn_softmax_rows_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
} ifn_softmax_rows_args;

/* clang-format off */
#define IFN_SIGNATURE_softmax_rows                                                  \
    EXTENT(rows, 0) EXTENT(cols, 0)                                                 \
    IN(x, F32, PART(rows), ALL(cols))                                               \
    OUT(out, F32, EQUAL(x), PART(rows), ALL(cols))
/* clang-format on */

#define IFN_COST_softmax_rows EACH(2, 2) /* x - max and one addition; e^ and the quotient */

#endif
