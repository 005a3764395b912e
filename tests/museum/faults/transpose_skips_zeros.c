/* Only elements unequal to zero are copied to a cleared result: -0 becomes +0. */
#include "museum_kit.h"

ifn_status museum_transpose_skips_zeros(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    const ifn_status status = ifn_transpose_2d(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = part.begin; status == IFN_OK && r < part.end; r++)
        for (int64_t c = 0; c < a->cols; c++)
            if (a->x[r * a->cols + c] == 0)
                a->out[c * a->rows + r] = 0;
    return status;
}
