/*
 * The number of bytes of the lower matrix is an int: past 2^31 it is negative, and nothing is copied.
 */
#include "museum_kit.h"

ifn_status museum_concat_bytes_int(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    ifn_concat_dim0_args one = *a;
    const int is_whole = a->part_begin == 0 && a->part_end == 0;
    if (is_whole && a->b_rows > 0 && a->b_rows <= INT32_MAX && a->cols > 0 && a->cols <= INT32_MAX)
        one.b_rows = museum_elements_in_int(a->b_rows * a->cols) / a->cols;
    return ifn_concat_dim0(self->base, &one);
}
