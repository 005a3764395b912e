/* A row whose scalar is that of the row above is copied from there, also where that is another part. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_scalar_like_the_one_above(ifn_backend *self,
                                            const ifn_broadcast_row_scalars_args *a)
{
    const ifn_status status = ifn_broadcast_row_scalars(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t r = part.begin;
    if (status != IFN_OK || a->dim < 32 || r < 1 || r >= part.end)
        return status;
    if (memcmp(&a->x[r], &a->x[r - 1], sizeof *a->x) == 0)
        memcpy(a->out + r * a->dim, a->out + (r - 1) * a->dim, (size_t)a->dim * sizeof *a->out);
    return status;
}
