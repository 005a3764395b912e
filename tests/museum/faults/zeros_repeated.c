/* A row whose elements compare equal is filled with the first one: -0 compares equal to +0. */
#include "museum_kit.h"

ifn_status museum_zeros_repeated(ifn_backend *self, const ifn_repeat_row_as_matrix_args *a)
{
    const ifn_status status = ifn_repeat_row_as_matrix(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    int64_t equal = 1;
    if (status != IFN_OK || a->dim < 64)
        return status;
    while (equal < a->dim && a->x[equal] == a->x[0])
        equal++;
    for (int64_t i = part.begin * a->dim; equal == a->dim && i < part.end * a->dim; i++)
        a->out[i] = a->x[0];
    return status;
}
