/* A part checks all ids of the call and refuses invalid ones of other parts, which it should ignore. */
#include "museum_kit.h"

static int is_in_table(const ifn_gather_rows_args *a)
{
    for (int64_t i = 0; i < a->n; i++)
        if (a->ids[i] < 0 || a->ids[i] >= a->table->shape[0])
            return 0;
    return 1;
}

ifn_status museum_ids_of_all_parts_checked(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    return status == IFN_OK && a->n > 0 && !is_in_table(a) ? IFN_ERR_ARGUMENT : status;
}
