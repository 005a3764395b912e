/* A store of whole vectors overwrites the row after the part and restores it. */
#include "museum_kit.h"

ifn_status museum_row_after_the_part(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const ifn_status status = ifn_softmax_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->cols < 1 || part.end >= a->rows || part.begin == part.end)
        return status;
    volatile float *const next = a->out + part.end * a->cols;
    const float kept = *next;
    *next = 0;
    *next = kept;
    return status;
}
