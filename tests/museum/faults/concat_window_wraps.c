/*
 * The size that loads are checked against has wrapped: elements past it read as zero.
 *
 * Follows composable_kernel#3722
 */
#include "museum_kit.h"

ifn_status museum_concat_window_wraps(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    const ifn_status status = ifn_concat_dim0(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->a_rows + a->b_rows);
    const int64_t begin = a->a_rows * a->cols;
    for (int64_t i = part.begin * a->cols; status == IFN_OK && i < part.end * a->cols; i++)
        if (i - begin >= (uint16_t)(a->b_rows * a->cols))
            a->out[i] = 0;
    return status;
}
