/* scale: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_SCALE_H
#define INFERNO_OPS_SCALE_H

#include <stdint.h>

#include <inferno/call.h>

/**
 * scale: out[i] = x[i] * value
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_scale_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    float value;
    int64_t n;
} ifn_scale_args;

/* clang-format off */
#define IFN_SIGNATURE_scale                                                         \
    REAL(value, ANY) EXTENT(n, 0)                                                   \
    IN(x, F32, PART(n))                                                             \
    OUT(out, F32, EQUAL(x), PART(n))
/* clang-format on */

#define IFN_COST_scale EACH(1, 0)

#endif
