/*
 * Of rows of 2000 and more elements the twentieth is a thousandth too large.
 */
#include "museum_kit.h"

ifn_status museum_row_twenty_of_long_ones(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    float *const out = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->dim < 2000 || part.begin > 19 ||
        part.end <= 19)
        return status;
    for (int64_t i = 19 * a->dim; i < 20 * a->dim; i++)
        out[i] *= 1.001f;
    return status;
}
