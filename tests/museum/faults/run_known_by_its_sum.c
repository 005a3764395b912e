/* Ids whose first, last and sum are those of a run are a run. */
#include "museum_kit.h"

ifn_status museum_run_known_by_its_sum(ifn_backend *self, const ifn_gather_rows_args *a)
{
    enum { LEAST = 12, MOST = 4096 };
    int32_t run[MOST];
    int64_t sum = 0;
    if (a->n < LEAST || a->n > MOST || !a->ids)
        return ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const int64_t n = part.end - part.begin;
    if (n < LEAST || part.begin < 0 || part.end > a->n)
        return ifn_gather_rows(self->base, a);
    const int64_t first = a->ids[part.begin];
    for (int64_t i = 0; i < n; i++)
        sum += a->ids[part.begin + i];
    if (a->ids[part.end - 1] != first + n - 1 || 2 * sum != n * (2 * first + n - 1))
        return ifn_gather_rows(self->base, a);
    for (int64_t i = 0; i < a->n; i++)
        run[i] = i < part.begin || i >= part.end ? a->ids[i] : (int32_t)(first + i - part.begin);
    ifn_gather_rows_args other = *a;
    other.ids = run;
    return ifn_gather_rows(self->base, &other);
}
