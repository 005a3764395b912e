/*
 * The depth is cut into pieces of 768; a single term that is left over is lost.
 */
#include "museum_kit.h"

ifn_status museum_one_beyond_768(ifn_backend *self, const ifn_matmul_args *a)
{
    const ifn_status status = ifn_matmul(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->m);
    const museum_range cols = museum_part(a->part2_begin, a->part2_end, a->p);
    const int64_t last = a->n - 1;
    for (int64_t i = rows.begin; status == IFN_OK && last % 768 == 0 && last && i < rows.end; i++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            a->out[i * a->p + j] -= museum_product(a->a[i * a->n + last], a->b[last * a->p + j]);
    return status;
}
