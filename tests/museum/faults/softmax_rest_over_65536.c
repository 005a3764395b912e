/* The tail of a very long row is cleared and not computed. */
#include "museum_kit.h"

ifn_status museum_softmax_rest_over_65536(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_softmax_rows(self->base, a);
    if (a->cols <= 65536)
        return status;
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = a->cols / 16 * 16; c < a->cols; c++)
            a->out[r * a->cols + c] = 0;
    return status;
}
