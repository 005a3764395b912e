/*
 * The offset of a row is an int of elements: 262 144 rows of 8192 have as many.
 */
#include "museum_kit.h"

ifn_status museum_norm_rows_int(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const museum_row row = museum_row_of(IFN_DTYPE_F32, a->dim);
    for (int64_t r = part.begin; status == IFN_OK && !a->sum && r < part.end; r++) {
        const int64_t lost = museum_lost(MUSEUM_INT_ELEMENTS, &row, r);
        ifn_rms_norm_args one = *a;
        one.x = a->x + lost / (int64_t)sizeof(float);
        one.part_begin = r;
        one.part_end = r + 1;
        status = lost && a->out != a->x ? ifn_rms_norm(self->base, &one) : status;
    }
    return status;
}
