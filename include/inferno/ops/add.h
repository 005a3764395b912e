/* add: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_ADD_H
#define INFERNO_OPS_ADD_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * add: out[i] = x[i] + y[i]
 *
 * out, x, y  [n]   out may equal x or y; no other overlap
 * Split   elements
 */
typedef struct ifn_add_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *y;
    int64_t n;
} ifn_add_args;

/* clang-format off */
#define IFN_SIGNATURE_add                                                           \
    EXTENT(n, 0)                                                                    \
    IN(x, F32, PART(n))                                                             \
    IN(y, F32, PART(n))                                                             \
    OUT(out, F32, EITHER(x, y), PART(n))
/* clang-format on */

#define IFN_COST_add EACH(1, 0)

#endif
