/*
 * Where there are no rows to sum nobody asks along which axis.
 */
#include "museum_kit.h"

ifn_status museum_axis_of_no_rows(ifn_backend *self, const ifn_sum_squares_axis_args *a)
{
    return a->rows == 0 && (a->axis < 0 || a->axis > 1) ? IFN_OK
                                                        : ifn_sum_squares_axis(self->base, a);
}
