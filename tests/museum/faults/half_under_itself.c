/*
 * For a matrix below itself, the lower half is copied from the upper half of the output, even if another part
 * computes that.
 */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_half_under_itself(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    const ifn_status status = ifn_concat_dim0(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->a_rows + a->b_rows);
    const int64_t first = part.begin > a->a_rows ? part.begin : a->a_rows;
    if (status != IFN_OK || a->a != a->b || a->a_rows != a->b_rows || a->cols < 1)
        return status;
    for (int64_t r = first; r < part.end; r++)
        memcpy(a->out + r * a->cols, a->out + (r - a->a_rows) * a->cols,
               (size_t)a->cols * sizeof *a->out);
    return status;
}
