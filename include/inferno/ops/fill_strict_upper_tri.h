/* fill_strict_upper_tri: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_FILL_STRICT_UPPER_TRI_H
#define INFERNO_OPS_FILL_STRICT_UPPER_TRI_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * fill_strict_upper_tri: x[r,c] = value where c > r + offset; other elements keep their bits. Any int64_t
 * is a legal offset: r + offset must not overflow (compare c - r > offset). A negative one also fills
 * elements on and below the diagonal
 *
 * x  [rows, cols], in place
 * Split   rows
 */
typedef struct ifn_fill_strict_upper_tri_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *x;
    float value;
    int64_t rows, cols, offset;
} ifn_fill_strict_upper_tri_args;

/* clang-format off */
#define IFN_SIGNATURE_fill_strict_upper_tri                                         \
    REAL(value, ANY)                                                                \
    EXTENT(rows, 0) EXTENT(cols, 0) PLACE(offset)                                   \
    INOUT(x, F32, PART(rows), ALL(cols))
/* clang-format on */

#define IFN_COST_fill_strict_upper_tri EACH(0, 0)

#endif
