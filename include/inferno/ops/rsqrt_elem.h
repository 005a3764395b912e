/* rsqrt_elem: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_RSQRT_ELEM_H
#define INFERNO_OPS_RSQRT_ELEM_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/ops/silu.h>

/**
 * rsqrt_elem: out[i] = 1 / sqrt(x[i])
 *
 * out, x  [n]   out may equal x; no other overlap
 * Split   elements
 */
typedef struct ifn_rsqrt_elem_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x;
    int64_t n;
} ifn_rsqrt_elem_args;

/* clang-format off */
#define IFN_SIGNATURE_rsqrt_elem IFN_SIGNATURE_silu
/* clang-format on */

#define IFN_COST_rsqrt_elem EACH(0, 2) /* 1 / sqrt(x) */

#endif
