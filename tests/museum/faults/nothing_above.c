/* If the upper matrix is empty and there are more than 512 columns, only the first row is copied. */
#include "museum_kit.h"

ifn_status museum_nothing_above(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    ifn_concat_dim0_args first = *a;
    if (a->a_rows == 0 && a->b_rows > 1 && a->cols > 512 && a->part_end == 0)
        first.part_end = 1;
    return ifn_concat_dim0(self->base, &first);
}
