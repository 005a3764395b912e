/* The row number is kept in 8 bits: row 256 and later ones are computed as the rows 256 before. */
#include "museum_kit.h"

ifn_status museum_norm_of_row_256(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_status status = ifn_rms_norm(self->base, a);
    for (int64_t r = part.begin > 256 ? part.begin : 256;
         status == IFN_OK && !a->add && a->out != a->x && r < part.end; r++) {
        ifn_rms_norm_args one = *a;
        one.part_begin = r;
        one.part_end = r + 1;
        one.x = a->x - 256 * a->dim;
        status = ifn_rms_norm(self->base, &one);
    }
    return status;
}
