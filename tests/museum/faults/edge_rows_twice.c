/*
 * At an edge of four to seven rows two registers are merged into one of twice the length, whose second half repeats
 * the first.
 *
 * Follows OpenBLAS#5811
 */
#include "museum_kit.h"

ifn_status museum_edge_rows_twice(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    const museum_range cols = museum_part(a->part2_begin, a->part2_end, a->p);
    const int64_t edge = a->m / 8 * 8;
    if (status != IFN_OK || a->m % 8 < 4 || a->part_end != 0)
        return status;
    for (int64_t i = edge + 2; i < edge + 4; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] = a->out[(i - 2) * a->p + j];
    return status;
}
