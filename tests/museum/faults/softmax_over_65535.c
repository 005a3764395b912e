/*
 * Columns after the 65535th are left as they were.
 *
 * Follows cunn#150
 */
#include "museum_kit.h"

ifn_status museum_softmax_over_65535(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->cols <= 65535 || a->out == a->x)
        return ifn_softmax_rows(self->base, a);
    float last = a->out[part.begin * a->cols + 65535];
    const ifn_status status = ifn_softmax_rows(self->base, a);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 65535; c < a->cols; c++)
            a->out[r * a->cols + c] = last;
    return status;
}
