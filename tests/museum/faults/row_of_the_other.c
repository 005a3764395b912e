/* The source row is taken at the index of the destination where it exists. */
#include "museum_kit.h"

ifn_status museum_row_of_the_other(ifn_backend *self, const ifn_copy_row_2d_args *a)
{
    ifn_copy_row_2d_args other = *a;
    const ifn_status status = ifn_copy_row_2d(self->base, a);
    if (status != IFN_OK || a->out_row >= a->x_rows)
        return status;
    other.x_row = a->out_row;
    return ifn_copy_row_2d(self->base, &other);
}
