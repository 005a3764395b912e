/*
 * Sums of more than 4096 terms are put together from pieces, and pieces that are NaN count as zero.
 */
#include "museum_kit.h"

ifn_status museum_nan_lost_in_deep_sums(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->m);
    const museum_range cols = museum_part(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; status == IFN_OK && a->n > 4096 && i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            if (a->out[i * a->p + j] != a->out[i * a->p + j])
                a->out[i * a->p + j] = 0;
    return status;
}
