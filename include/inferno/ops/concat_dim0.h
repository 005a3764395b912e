/* concat_dim0: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_CONCAT_DIM0_H
#define INFERNO_OPS_CONCAT_DIM0_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * concat_dim0: out = a with b under it
 *
 * out [a_rows + b_rows, cols], a [a_rows, cols], b [b_rows, cols]; no overlap
 * Split   rows of out
 */
typedef struct ifn_concat_dim0_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *a, *b;
    int64_t a_rows, b_rows, cols;
} ifn_concat_dim0_args;

/* clang-format off */
#define IFN_SIGNATURE_concat_dim0                                                   \
    EXTENT(a_rows, 0) EXTENT(b_rows, 0) EXTENT(cols, 0)                             \
    IN(a, F32, PART(a_rows), ALL(cols))                                             \
    IN(b, F32, PART_FROM(b_rows, a_rows), ALL(cols))                                \
    OUT(out, F32, APART, BOTH(a_rows, b_rows), ALL(cols))
/* clang-format on */

#define IFN_COST_concat_dim0 EACH(0, 0)

#endif
