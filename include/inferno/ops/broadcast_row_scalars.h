/* broadcast_row_scalars: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_BROADCAST_ROW_SCALARS_H
#define INFERNO_OPS_BROADCAST_ROW_SCALARS_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * broadcast_row_scalars: out[r,c] = x[r]
 *
 * out [rows, dim], x [rows]; no overlap
 * Split   rows
 */
typedef struct ifn_broadcast_row_scalars_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t rows, dim;
} ifn_broadcast_row_scalars_args;

/* clang-format off */
#define IFN_SIGNATURE_broadcast_row_scalars                                         \
    EXTENT(rows, 0) EXTENT(dim, 0)                                                  \
    IN(x, F32, PART(rows))                                                          \
    OUT(out, F32, APART, PART(rows), ALL(dim))
/* clang-format on */

#define IFN_COST_broadcast_row_scalars EACH(0, 0)

#endif
