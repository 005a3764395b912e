/* swiglu: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_SWIGLU_H
#define INFERNO_OPS_SWIGLU_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/dtype.h>

/**
 * swiglu: out[r,i] = silu(gate[r,i]) * up[r,i]; a gate of -inf gives NaN; for a gate below -88 a zero is
 * right as its silu, too, as in silu
 *
 * out       [rows, dim] out_dtype   may equal gate or up if f32; no other overlap
 * gate, up  [rows, dim] f32
 * out_dtype F32, or Q8_32F (dim a multiple of 32): the bits of quantize_rows on the f32 result
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if out_dtype is neither F32 nor Q8_32F, or is Q8_32F and dim no multiple of 32 or
 *         out the same memory as gate or up
 * Source  arXiv:2002.05202
 */
typedef struct ifn_swiglu_args {
    ifn_call call;
    int64_t part_begin, part_end;
    void *out;
    const float *gate, *up;
    int64_t rows, dim;
    ifn_dtype out_dtype;
} ifn_swiglu_args;

/* clang-format off */
#define IFN_SIGNATURE_swiglu                                                        \
    EXTENT(rows, 0) EXTENT(dim, 0) DTYPE(out_dtype, ACTIVATION_DTYPES)              \
    IN(gate, F32, PART(rows), ALL(dim))                                             \
    IN(up, F32, PART(rows), ALL(dim))                                               \
    OUT(out, STORED(out_dtype), EITHER(gate, up), PART(rows), ALL(dim))
/* clang-format on */

#define IFN_COST_swiglu EACH(2, 2)

#endif
