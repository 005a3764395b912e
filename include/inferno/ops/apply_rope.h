/* apply_rope: its arguments, and what they are in the words of signature.h. */
#ifndef INFERNO_OPS_APPLY_ROPE_H
#define INFERNO_OPS_APPLY_ROPE_H

#include <stdint.h>

#include <inferno/call.h>

/* Which two elements of a head form a pair. */
enum {
    IFN_ROPE_HALF_SPLIT = 0, /* i and i + head_dim / 2 (Qwen) */
    IFN_ROPE_INTERLEAVED = 1 /* 2i and 2i + 1 (Llama in GGUF files) */
};

typedef int32_t ifn_rope_pairing;

/**
 * apply_rope: rotates each pair (x0, x1) of each head: y0 = x0*c - x1*s, y1 = x0*s + x1*c
 *
 * out, x  [rows, n_heads, head_dim]   out may equal x; no other overlap
 * table   [rows, head_dim]: the row of one position holds head_dim/2 cosines, then head_dim/2
 *         sines, formed in f64 and rounded once. Row r of the table belongs to row r of x and its position,
 *         so one call serves rows of many sequences without a list of spans
 *
 * Split   rows
 * Errors  IFN_ERR_SHAPE if head_dim is odd or the pairing unknown
 * Source  arXiv:2104.09864
 */
typedef struct ifn_apply_rope_args {
    ifn_call call;
    int64_t part_begin, part_end;
    float *out;
    const float *x, *table;
    int64_t rows, n_heads, head_dim;
    ifn_rope_pairing pairing;
} ifn_apply_rope_args;

/* clang-format off */
#define IFN_SIGNATURE_apply_rope                                                    \
    EXTENT(rows, 0) EXTENT(n_heads, 0) EVEN(head_dim) INTEGER(pairing, 0, 1)        \
    IN(x, F32, PART(rows), ALL(n_heads), ALL(head_dim))                             \
    IN(table, F32, PART(rows), ALL(head_dim))                                       \
    OUT(out, F32, EQUAL(x), PART(rows), ALL(n_heads), ALL(head_dim))
/* clang-format on */

/* Rotating a pair takes four products and two sums: three flops per element. */
#define IFN_COST_apply_rope EACH(3, 0)

#endif
