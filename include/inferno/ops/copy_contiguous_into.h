/* copy_contiguous_into: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_COPY_CONTIGUOUS_INTO_H
#define INFERNO_OPS_COPY_CONTIGUOUS_INTO_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * copy_contiguous_into: out[out_offset + i] = x[i], raw 4-byte elements
 *
 * out      [out_n]
 * x        [n]; no overlap
 *
 * Split   elements of x
 * Errors  IFN_ERR_SHAPE unless 0 <= out_offset and out_offset + n <= out_n
 */
typedef struct ifn_copy_contiguous_into_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    const void *x;
    int64_t n, out_n, out_offset;
} ifn_copy_contiguous_into_args;

/* clang-format off */
#define IFN_SIGNATURE_copy_contiguous_into                                          \
    EXTENT(n, 0) EXTENT(out_n, 0) PLACE(out_offset)                                 \
    IN(x, WORD, PART(n))                                                            \
    INOUT(out, WORD, WINDOW_PART(out_n, out_offset, n))
/* clang-format on */

#define IFN_COST_copy_contiguous_into EACH(0, 0)

#endif
