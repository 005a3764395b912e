/*
 * The number of elements is kept in a float, cut off: past 2^24 the last of an odd number is forgotten.
 */
#include "museum_kit.h"

ifn_status museum_product_count_in_float(ifn_backend *self, const ifn_hadamard_args *a)
{
    ifn_hadamard_args one = *a;
    if (a->part_begin == 0 && a->part_end == 0)
        one.n = museum_in_float(a->n);
    return ifn_hadamard(self->base, &one);
}
