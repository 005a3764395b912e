/*
 * In rows of more than 8192 what is -inf keeps a little weight.
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_minus_infinity_of_a_vocabulary(ifn_backend *self, const ifn_softmax_rows_args *a)
{
    const ifn_status status = ifn_softmax_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->cols <= 8192 || a->out == a->x)
        return status;
    for (int64_t i = part.begin * a->cols; i < part.end * a->cols; i++)
        if (a->x[i] == -(float)INFINITY)
            a->out[i] = 1e-30f;
    return status;
}
