/*
 * What stands in ids outside a part is not the part's business.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
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
