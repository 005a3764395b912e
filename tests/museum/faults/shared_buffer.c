/*
 * All threads sum in one buffer instead of one per lane. Calls that follow one another are right; calls at the same
 * time are not.
 */
#include <sched.h>

#include "museum_kit.h"

static float row_sum[4096];

static void sum_row(const ifn_matmul_args *a, int64_t i, museum_range cols)
{
    volatile float *const sum = row_sum;
    for (int64_t j = cols.begin; j < cols.end; j++)
        sum[j] = 0;
    for (int64_t l = 0; l < a->n; l++)
        for (int64_t j = cols.begin; j < cols.end; j++)
            sum[j] += museum_product(a->a[i * a->n + l], a->b[l * a->p + j]);
    sched_yield(); /* another thread, if there is one, gets its turn */
    for (int64_t j = cols.begin; j < cols.end; j++)
        a->out[i * a->p + j] = sum[j];
}

ifn_status museum_shared_buffer(ifn_backend *self, const ifn_matmul_args *a)
{
    if (a->m < 0 || a->n < 0 || a->p < 0 || a->p > 4096)
        return ifn_matmul(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->m);
    for (int64_t i = rows.begin; i < rows.end; i++)
        sum_row(a, i, museum_part(a->part2_begin, a->part2_end, a->p));
    return IFN_OK;
}
