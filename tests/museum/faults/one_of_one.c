/* From a hundred rows of one element on, each result is 1, even for NaN and infinities. */
#include "museum_kit.h"

ifn_status museum_one_of_one(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const ifn_status status = ifn_softmax_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && a->cols == 1 && a->rows >= 100 && r < part.end;
         r++)
        a->out[r] = 1;
    return status;
}
