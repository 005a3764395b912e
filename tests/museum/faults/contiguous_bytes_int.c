/*
 * The number of bytes to copy is an int: past 2^31 it is negative, and nothing is copied.
 */
#include "museum_kit.h"

ifn_status museum_contiguous_bytes_int(ifn_backend *self, const ifn_copy_contiguous_into_args *a)
{
    ifn_copy_contiguous_into_args one = *a;
    if (a->part_begin == 0 && a->part_end == 0 && a->n > 0 && a->n <= INT32_MAX)
        one.n = museum_elements_in_int(a->n);
    return ifn_copy_contiguous_into(self->base, &one);
}
