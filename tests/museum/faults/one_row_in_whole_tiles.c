/*
 * The path for one long row divides the features by its tile without rounding up: those after
 * the last whole 64 stay zero.
 *
 * Follows mlx#4250
 */
#include "museum_kit.h"

static void clear_rest(const ifn_linear_args *a, int64_t i, int64_t first, museum_range part)
{
    for (int64_t f = a->w[i]->shape[0] / 64 * 64; f < a->w[i]->shape[0]; f++)
        if (first + f >= part.begin && first + f < part.end)
            a->out[i][f] = 0;
}

ifn_status museum_one_row_in_whole_tiles(ifn_backend *self, const ifn_linear_args *a)
{
    const ifn_status status = ifn_linear(self->base, a);
    int64_t n = 0, first = 0;
    if (status != IFN_OK || a->rows != 1 || a->k < 1024)
        return status;
    for (int64_t i = 0; i < a->n_w; i++)
        n += a->w[i]->shape[0];
    for (int64_t i = 0; i < a->n_w; first += a->w[i++]->shape[0])
        clear_rest(a, i, first, museum_part(a->part_begin, a->part_end, n));
    return status;
}
