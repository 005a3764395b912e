/*
 * Rows of odd length are stored in pairs of elements: the last pair overwrites the first element of the next row.
 *
 * Follows aiter#5044
 */
#include "museum_kit.h"

ifn_status museum_norm_into_next_row(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->dim % 2 == 0)
        return status;
    for (int64_t r = part.begin + 1; r < part.end; r++) {
        float *const row = (float *)a->out + r * a->dim;
        row[0] = row[-1];
    }
    return status;
}
