/* add_scalar: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_ADD_SCALAR_H
#define INFERNO_OPS_ADD_SCALAR_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/ops/scale.h>

/**
 * add_scalar: out[i] = x[i] + value
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_add_scalar_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    float value;
    int64_t n;
} ifn_add_scalar_args;

/* clang-format off */
#define IFN_SIGNATURE_add_scalar IFN_SIGNATURE_scale
/* clang-format on */

#define IFN_COST_add_scalar EACH(1, 0)

#endif
