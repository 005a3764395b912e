/*
 * The correction for minima is computed for whole tiles of 16 features: the features after the last tile get none.
 *
 * Follows oneDNN#5377
 */
#include "museum_kit.h"

static void clear_sums(ifn_block_q8_32f *row, int64_t n)
{
    for (int64_t b = 0; b < n; b++)
        row[b].s = 0;
}

/* Computes the features after the last tile of weight i again, without minima. */
static ifn_status without_minima(ifn_backend *base, const ifn_linear_q8_args *a, int64_t i,
                                 int64_t first)
{
    ifn_linear_q8_args tail = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, museum_features(a));
    const int64_t n = a->w[i]->shape[0];
    tail.part_begin = first + n / 16 * 16 > part.begin ? first + n / 16 * 16 : part.begin;
    tail.part_end = first + n < part.end ? first + n : part.end;
    return tail.part_begin < tail.part_end ? museum_linear_q8_inputs(base, &tail, clear_sums)
                                           : IFN_OK;
}

ifn_status museum_minima_in_whole_tiles(ifn_backend *self, const ifn_linear_q8_args *a)
{
    ifn_status status = ifn_linear_q8(self->base, a);
    int64_t first = 0;
    for (int64_t i = 0; status == IFN_OK && i < a->n_w; first += a->w[i++]->shape[0])
        status = without_minima(self->base, a, i, first);
    return status;
}
