/* The rotation of one head, shared by the two rope ops so that their bits are equal. */
#ifndef IFN_ROPE_HEAD_H
#define IFN_ROPE_HEAD_H

#include "map.h"

static inline int rope_fits(int64_t head_dim, int32_t pairing)
{
    return head_dim >= 0 && head_dim % 2 == 0 &&
           (pairing == IFN_ROPE_HALF_SPLIT || pairing == IFN_ROPE_INTERLEAVED);
}

/* Pairs i .. i + n - 1 of a head in two halves. */
static inline void rotate_halves(const float *x, const float *table, float *out, int64_t half,
                                 int64_t i, int n)
{
    const vf x0 = vf_get(x + i, n), x1 = vf_get(x + half + i, n);
    const vf c = vf_get(table + i, n), s = vf_get(table + half + i, n);
    vf_put(out + i, vf_sub(vf_mul(x0, c), vf_mul(x1, s)), n);
    vf_put(out + half + i, vf_add(vf_mul(x0, s), vf_mul(x1, c)), n);
}

/* Neighbours pair up: left to the compiler, which knows how to take every second element. */
static inline void rotate_neighbours(const float *x, const float *table, float *out, int64_t half)
{
    for (int64_t i = 0; i < half; i++) {
        const float x0 = x[2 * i], x1 = x[2 * i + 1], c = table[i], s = table[half + i];
        out[2 * i] = x0 * c - x1 * s;
        out[2 * i + 1] = x0 * s + x1 * c;
    }
}

/* x and out [head_dim], perhaps the same; table: head_dim / 2 cosines, then as many sines. */
static inline void rotate_head(const float *x, const float *table, float *out, int64_t head_dim,
                               int32_t pairing)
{
    const int64_t half = head_dim / 2;
    if (pairing == IFN_ROPE_INTERLEAVED) {
        rotate_neighbours(x, table, out, half);
        return;
    }
    int64_t i = 0;
    for (; i + VL <= half; i += VL)
        rotate_halves(x, table, out, half, i, VL);
    if (i < half)
        rotate_halves(x, table, out, half, i, (int)(half - i));
}

#endif
