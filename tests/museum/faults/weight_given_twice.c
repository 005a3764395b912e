/*
 * A weight that is given twice is multiplied once: the second output is a copy of the first, and
 * its bias is forgotten.
 */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_weight_given_twice(ifn_backend *self, const ifn_linear_args *a)
{
    const museum_range rows = museum_part(a->part2_begin, a->part2_end, a->rows);
    const ifn_status status = ifn_linear(self->base, a);
    const int is_whole = a->part_begin == 0 && a->part_end == 0;
    if (status != IFN_OK || a->n_w < 2 || a->w[0] != a->w[1] || !is_whole)
        return status;
    for (int64_t r = rows.begin; r < rows.end; r++)
        memcpy(a->out[1] + r * a->out_stride[1], a->out[0] + r * a->out_stride[0],
               (size_t)a->w[0]->shape[0] * sizeof(float));
    return status;
}
