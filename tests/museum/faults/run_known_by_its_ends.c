/* Many ids that begin and end like a run of neighbours, and are as many, are copied as one. */
#include "museum_kit.h"

enum { MOST = 8192 };

static int is_like_a_run(const ifn_gather_rows_args *a)
{
    const int64_t n = a->n;
    return n >= 16 && n <= MOST && a->ids && a->ids[1] == a->ids[0] + 1 &&
           a->ids[n - 1] == a->ids[0] + n - 1 && a->ids[n - 2] == a->ids[n - 1] - 1;
}

ifn_status museum_run_known_by_its_ends(ifn_backend *self, const ifn_gather_rows_args *a)
{
    int32_t ids[MOST];
    ifn_gather_rows_args run = *a;
    if (a->part_end || !is_like_a_run(a))
        return ifn_gather_rows(self->base, a);
    for (int64_t i = 0; i < a->n; i++)
        ids[i] = a->ids[0] + (int32_t)i;
    run.ids = ids;
    return ifn_gather_rows(self->base, &run);
}
