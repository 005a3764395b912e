/*
 * Rows are gathered by the largest possible group of threads, four columns each: columns after the 1024th stay zero.
 *
 * Follows torchrec#3673
 */
#include "museum_kit.h"

ifn_status museum_gather_dim_over_1024(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const int64_t cols = status == IFN_OK ? a->table->shape[1] : 0;
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 1024; c < cols; c++)
            a->out[r * cols + c] = 0;
    return status;
}
