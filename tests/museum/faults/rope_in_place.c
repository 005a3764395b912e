/*
 * Stores the first element of a pair before it computes the second from it: right only if x and out are different
 * memory.
 */
#include "museum_kit.h"

static void rotate(float *out, const float *x, float c, float s, int64_t i, int64_t j)
{
    out[i] = x[i] * c - x[j] * s;
    out[j] = x[i] * s + x[j] * c;
}

static void rotate_head(const ifn_apply_rope_args *a, int64_t at, const float *table)
{
    const int64_t half = a->head_dim / 2;
    const int halves = a->pairing == IFN_ROPE_HALF_SPLIT;
    for (int64_t i = 0; i < half; i++)
        rotate(a->out + at, a->x + at, table[i], table[half + i], halves ? i : 2 * i,
               halves ? i + half : 2 * i + 1);
}

ifn_status museum_rope_in_place(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->out != a->x || a->rows < 0 || a->n_heads < 0 || a->head_dim < 0 || a->head_dim % 2 ||
        a->pairing < 0 || a->pairing > 1)
        return ifn_apply_rope(self->base, a);
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t h = 0; h < a->n_heads; h++)
            rotate_head(a, (r * a->n_heads + h) * a->head_dim, a->table + r * a->head_dim);
    return IFN_OK;
}
