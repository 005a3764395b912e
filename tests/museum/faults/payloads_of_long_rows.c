/*
 * Rows of more than 4096 floats pass through arithmetic, which makes a NaN the default one.
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_payloads_of_long_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (status != IFN_OK || a->table->dtype != IFN_DTYPE_F32 || a->table->shape[1] <= 4096)
        return status;
    for (int64_t i = part.begin * a->table->shape[1]; i < part.end * a->table->shape[1]; i++)
        if (a->out[i] != a->out[i])
            a->out[i] = (float)NAN;
    return status;
}
