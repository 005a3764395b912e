/*
 * Features after the last four of a part are summed in another order; which these are depends on where the part
 * begins.
 */
#include "museum_kit.h"

static int is_behind_tiles(const ifn_linear_args *a, const museum_cell *c)
{
    int64_t at = c->feature, n = 0;
    for (int64_t i = 0; i < a->n_w; i++) {
        at += i < c->weight ? a->w[i]->shape[0] : 0;
        n += a->w[i]->shape[0];
    }
    const museum_range part = museum_part(a->part_begin, a->part_end, n);
    return at >= part.begin + (part.end - part.begin) / 4 * 4;
}

ifn_status museum_feature_tiles(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_backward(self->base, a, is_behind_tiles);
}
