/* The rotation of one head, shared by the two rope ops so that their bits are equal. */
#ifndef IFN_ROPE_HEAD_H
#define IFN_ROPE_HEAD_H

#include "map.h"
#include "rope_scalar.h"

/* Rotates pairs i .. i + n - 1 of a head that is split into halves. */
static inline void rotate_halves(const float *x, const float *table, float *out, int64_t half,
                                 int64_t i, int n)
{
    const vf x0 = vf_get(x + i, n), x1 = vf_get(x + half + i, n);
    const vf c = vf_get(table + i, n), s = vf_get(table + half + i, n);
    vf_put(out + i, vf_sub(vf_mul(x0, c), vf_mul(x1, s)), n);
    vf_put(out + half + i, vf_add(vf_mul(x0, s), vf_mul(x1, c)), n);
}

/* Rotates a head: x and out [head_dim] may be the same; table: head_dim / 2 cosines, then as many sines.
 * For interleaved pairs it uses the reference's loop, compiled for this level. */
static inline void rotate_head(const float *x, const float *table, float *out, int64_t head_dim,
                               int32_t pairing)
{
    const int64_t half = head_dim / 2;
    if (pairing == IFN_ROPE_INTERLEAVED) {
        ifn_scalar_rotate_head(x, table, out, head_dim, pairing);
        return;
    }
    int64_t i = 0;
    for (; i + VL <= half; i += VL)
        rotate_halves(x, table, out, half, i, VL);
    if (i < half)
        rotate_halves(x, table, out, half, i, (int)(half - i));
}

#endif
