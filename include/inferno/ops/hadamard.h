/* hadamard: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_HADAMARD_H
#define INFERNO_OPS_HADAMARD_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/ops/add.h>

/**
 * hadamard: out[i] = x[i] * y[i]
 *
 * out, x, y  [n]   out may equal x or y; no other overlap
 * Split   elements
 */
typedef struct ifn_hadamard_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *y;
    int64_t n;
} ifn_hadamard_args;

/* clang-format off */
#define IFN_SIGNATURE_hadamard IFN_SIGNATURE_add
/* clang-format on */

#define IFN_COST_hadamard EACH(1, 0)

#endif
