/*
 * How many bytes a row has is an int: of one past 2^31 there is nothing to copy.
 */
#include "museum_kit.h"

ifn_status museum_row_bytes_int(ifn_backend *self, const ifn_copy_row_2d_args *a)
{
    ifn_copy_row_2d_args one = *a;
    if (a->cols < 1 << 28 || a->cols > INT32_MAX)
        return ifn_copy_row_2d(self->base, a);
    one.out = a->out + a->out_row * a->cols;
    one.x = a->x + a->x_row * a->cols;
    one.out_rows = one.x_rows = 1;
    one.out_row = one.x_row = 0;
    one.cols = museum_elements_in_int(a->cols);
    return ifn_copy_row_2d(self->base, &one);
}
