/*
 * Neighbours in pairs: cosine and sine are those of the element a pair begins with, not of the
 * pair.
 *
 * Follows onnxruntime#26390
 */
#include "museum_kit.h"

static void turn(float *out, const float *x, const float *table, int64_t dim)
{
    for (int64_t i = 0; i < dim; i += 2) {
        const float c = table[i % (dim / 2)], s = table[dim / 2 + i % (dim / 2)];
        out[i] = x[i] * c - x[i + 1] * s;
        out[i + 1] = x[i] * s + x[i + 1] * c;
    }
}

ifn_status museum_rope_table_by_element(ifn_backend *self, const ifn_apply_rope_args *a)
{
    const ifn_status status = ifn_apply_rope(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->pairing != IFN_ROPE_INTERLEAVED || a->out == a->x)
        return status;
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t h = 0; h < a->n_heads; h++)
            turn(a->out + (r * a->n_heads + h) * a->head_dim,
                 a->x + (r * a->n_heads + h) * a->head_dim, a->table + r * a->head_dim,
                 a->head_dim);
    return status;
}
