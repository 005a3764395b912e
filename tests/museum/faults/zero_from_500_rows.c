/*
 * From 500 rows on the launch fails, and nobody checks: the result keeps its initial zeros.
 *
 * Follows burn#4966
 */
#include "museum_kit.h"

ifn_status museum_zero_from_500_rows(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->m);
    const museum_range cols = museum_part(a->part2_begin, a->part2_end, a->p);
    for (int64_t i = rows.begin; status == IFN_OK && a->m >= 500 && i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] = 0;
    return status;
}
