/* Only the first four ids are checked; a later invalid id counts as 0. */
#include "museum_kit.h"

#include <stdlib.h>
#include <string.h>

ifn_status museum_ids_of_the_first_four(ifn_backend *self, const ifn_gather_rows_args *a)
{
    ifn_gather_rows_args known = *a;
    if (a->n < 5 || !a->ids || !a->table)
        return ifn_gather_rows(self->base, a);
    int32_t *const ids = malloc((size_t)a->n * sizeof *ids);
    if (!ids)
        return IFN_ERR_NOMEM;
    memcpy(ids, a->ids, (size_t)a->n * sizeof *ids);
    for (int64_t i = 4; i < a->n; i++)
        if (ids[i] < 0 || ids[i] >= a->table->shape[0])
            ids[i] = 0;
    known.ids = ids;
    const ifn_status status = ifn_gather_rows(self->base, &known);
    free(ids);
    return status;
}
