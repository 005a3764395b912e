/* negate: its arguments, described in the words of signature.h. */
#ifndef INFERNO_OPS_NEGATE_H
#define INFERNO_OPS_NEGATE_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * negate: out[i] = -x[i]
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_negate_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t n;
} ifn_negate_args;

/* clang-format off */
#define IFN_SIGNATURE_negate                                                        \
    EXTENT(n, 0)                                                                    \
    IN(x, F32, PART(n))                                                             \
    OUT(out, F32, EQUAL(x), PART(n))
/* clang-format on */

#define IFN_COST_negate EACH(0, 0)

#endif
