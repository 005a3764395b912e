/* transpose_2d: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_TRANSPOSE_2D_H
#define INFERNO_OPS_TRANSPOSE_2D_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * transpose_2d: out[c,r] = x[r,c]
 *
 * out [cols, rows], x [rows, cols]; no overlap
 * Split   rows of out (columns of x)
 */
typedef struct ifn_transpose_2d_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, cols;
} ifn_transpose_2d_args;

/* clang-format off */
#define IFN_SIGNATURE_transpose_2d                                                  \
    EXTENT(rows, 0) EXTENT(cols, 0)                                                 \
    IN(x, F32, ALL(rows), PART(cols))                                               \
    OUT(out, F32, APART, PART(cols), ALL(rows))
/* clang-format on */

#define IFN_COST_transpose_2d EACH(0, 0)

#endif
