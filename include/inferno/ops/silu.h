/* silu: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_SILU_H
#define INFERNO_OPS_SILU_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * silu: out[i] = x[i] / (1 + e^-x[i]); -inf gives NaN, as the formula does; below -88 a zero is right, too
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements                       Source  arXiv:1702.03118
 */
typedef struct ifn_silu_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t n;
} ifn_silu_args;

/* clang-format off */
#define IFN_SIGNATURE_silu                                                          \
    EXTENT(n, 0)                                                                    \
    IN(x, F32, PART(n))                                                             \
    OUT(out, F32, EQUAL(x), PART(n))
/* clang-format on */

#define IFN_COST_silu EACH(1, 2) /* one sum; e^-x and a quotient */

#endif
