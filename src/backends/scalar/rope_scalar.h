/* The rotation of one head, shared by the two rope ops so that their bits are equal. */
#ifndef IFN_ROPE_SCALAR_H
#define IFN_ROPE_SCALAR_H

#include <inferno/ops.h>

static inline int ifn_scalar_rope_fits(int64_t head_dim, int32_t pairing)
{
    return head_dim >= 0 && head_dim % 2 == 0 &&
           (pairing == IFN_ROPE_HALF_SPLIT || pairing == IFN_ROPE_INTERLEAVED);
}

/* Rotates a head: x and out [head_dim] may be the same; table: head_dim / 2 cosines, then as many sines. */
static inline void ifn_scalar_rotate_head(const float *x, const float *table, float *out,
                                          int64_t head_dim, int32_t pairing)
{
    const int64_t half = head_dim / 2;
    for (int64_t i = 0; i < half; i++) {
        const int64_t i0 = pairing == IFN_ROPE_INTERLEAVED ? 2 * i : i;
        const int64_t i1 = pairing == IFN_ROPE_INTERLEAVED ? 2 * i + 1 : i + half;
        const float x0 = x[i0], x1 = x[i1], c = table[i], s = table[half + i];
        out[i0] = x0 * c - x1 * s;
        out[i1] = x0 * s + x1 * c;
    }
}

#endif
