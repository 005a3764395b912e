/*
 * The ops that contain sums, written once for all variants (variants.h); a variant leaves every other op to scalar.
 * Variants differ only in the order and the roundings of additions. Each keeps every rule of the op list: parts,
 * overlaps, refusals, one order per element.
 */
#ifndef CONFORM_VARIANT_OPS_H
#define CONFORM_VARIANT_OPS_H

#include <inferno/backend.h>

#include "variant_sum.h"

/* Y(id, name) for each op that a variant implements; `id` is passed through. */
#define VARIANT_OPS(Y, id)                                                                         \
    Y(id, matmul)                                                                                  \
    Y(id, sum_squares_axis)                                                                        \
    Y(id, softmax_rows)                                                                            \
    Y(id, linear)                                                                                  \
    Y(id, linear_q8)                                                                               \
    Y(id, rms_norm)                                                                                \
    Y(id, attention)

/* variant_matmul, ... */
#define DECLARE(id, name) ifn_status id##_##name(const variant *v, const ifn_##name##_args *a);
VARIANT_OPS(DECLARE, variant)
#undef DECLARE

/* Scratch of one lane for every op above. */
size_t variant_scratch_bytes(const variant *v, const ifn_limits *max);
size_t variant_attention_scratch_bytes(int64_t head_dim);

typedef struct variant_range {
    int64_t begin, end;
} variant_range;

/* A part as a range; [0, 0) means the whole extent. */
static inline variant_range variant_part(int64_t begin, int64_t end, int64_t extent)
{
    return begin == 0 && end == 0 ? (variant_range){0, extent} : (variant_range){begin, end};
}

#endif
