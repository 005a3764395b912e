/*
 * The number of elements to copy is truncated to a float: past 2^24 the last element of an odd number is not copied.
 */
#include "museum_kit.h"

ifn_status museum_contiguous_count_in_float(ifn_backend *self,
                                            const ifn_copy_contiguous_into_args *a)
{
    ifn_copy_contiguous_into_args one = *a;
    if (a->part_begin == 0 && a->part_end == 0)
        one.n = museum_in_float(a->n);
    return ifn_copy_contiguous_into(self->base, &one);
}
