/*
 * How many bytes change their shape is an int: past 2^31 there is nothing to copy.
 */
#include "museum_kit.h"

ifn_status museum_reshape_bytes_int(ifn_backend *self, const ifn_reshape_data_args *a)
{
    ifn_reshape_data_args one = *a;
    const int is_whole = a->part_begin == 0 && a->part_end == 0 && a->rows > 0 &&
                         a->rows <= INT32_MAX && a->cols > 0 && a->cols <= INT32_MAX;
    const int64_t n = is_whole ? a->rows * a->cols : 0;
    if (n <= INT32_MAX / (int64_t)sizeof(float) || n != a->out_rows * a->out_cols)
        return ifn_reshape_data(self->base, a);
    one.rows = one.out_rows = museum_elements_in_int(n);
    one.cols = one.out_cols = 1;
    return ifn_reshape_data(self->base, &one);
}
