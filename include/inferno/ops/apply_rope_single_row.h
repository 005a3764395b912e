/* apply_rope_single_row: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_APPLY_ROPE_SINGLE_ROW_H
#define INFERNO_OPS_APPLY_ROPE_SINGLE_ROW_H

#include <stdint.h>

#include <inferno/call.h>
#include <inferno/ops/apply_rope.h>

/**
 * apply_rope_single_row: apply_rope of one row, with equal bits if a backend implements both ops itself
 *
 * out, x [n_heads, head_dim], table [head_dim]
 * Split   heads
 * Errors  IFN_ERR_SHAPE if head_dim is odd or the pairing unknown
 */
typedef struct ifn_apply_rope_single_row_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *table;
    int64_t n_heads, head_dim;
    ifn_rope_pairing pairing;
} ifn_apply_rope_single_row_args;

/* clang-format off */
#define IFN_SIGNATURE_apply_rope_single_row                                         \
    EXTENT(n_heads, 0) EVEN(head_dim) INTEGER(pairing, 0, 1)                        \
    IN(x, F32, PART(n_heads), ALL(head_dim))                                        \
    IN(table, F32, ONE, ALL(head_dim))                                              \
    OUT(out, F32, EQUAL(x), PART(n_heads), ALL(head_dim))
/* clang-format on */

#define IFN_COST_apply_rope_single_row EACH(3, 0)

#endif
