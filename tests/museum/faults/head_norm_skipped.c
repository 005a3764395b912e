/*
 * Rows no longer than a head are passed on without being normalised.
 *
 * Follows Camelid#266
 */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_head_norm_skipped(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->dim > 128 || a->add || a->out == a->x ||
        a->out_dtype != IFN_DTYPE_F32)
        return status;
    for (int64_t i = part.begin * a->dim; i < part.end * a->dim; i++)
        ((float *)a->out)[i] = a->x[i];
    return status;
}
