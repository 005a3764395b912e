/* A store of a whole vector overwrites the beginning of the next row and restores it. */
#include "museum_kit.h"

ifn_status museum_row_behind_put_back(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    const ifn_status status = ifn_fill_strict_upper_tri(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->cols < 1 || part.end >= a->rows)
        return status;
    volatile float *const next = a->x + part.end * a->cols;
    const float kept = *next;
    *next = a->value;
    *next = kept;
    return status;
}
