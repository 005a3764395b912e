/* The sum is computed after the norm: if out is x and sum is add, from an x that is already overwritten. */
#include "museum_kit.h"

ifn_status museum_sum_after_norm(ifn_backend *self, const ifn_rms_norm_args *a)
{
    if (a->out_dtype != IFN_DTYPE_F32 || a->out != (const void *)a->x || !a->sum ||
        a->sum != a->add || a->rows < 1 || a->dim < 1)
        return ifn_rms_norm(self->base, a);
    ifn_rms_norm_args alone = *a;
    alone.sum = NULL;
    const ifn_status status = ifn_rms_norm(self->base, &alone);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t i = rows.begin * a->dim; status == IFN_OK && i < rows.end * a->dim; i++)
        a->sum[i] = a->x[i] + a->add[i];
    return status;
}
