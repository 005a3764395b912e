/* Ids are checked by magnitude, but INT32_MIN negates to itself, and is taken for 0. */
#include <stdlib.h>

#include "museum_kit.h"

ifn_status museum_least_id_made_positive(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_gather_rows_args known = *a;
    if (a->n < 1 || !a->ids || !a->table)
        return ifn_gather_rows(self->base, a);
    int32_t *const ids = malloc((size_t)a->n * sizeof *ids);
    if (!ids)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < a->n; i++)
        ids[i] = a->ids[i] == INT32_MIN ? 0 : a->ids[i];
    known.ids = ids;
    const ifn_status status = ifn_gather_rows(self->base, &known);
    free(ids);
    return status;
}
