/*
 * The first column of a row is looked for at row + offset + 1, which wraps where the offset is the largest there is.
 */
#include "museum_kit.h"

ifn_status museum_row_plus_offset(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    ifn_fill_strict_upper_tri_args one = *a;
    if (a->offset > INT64_MAX - 1 - a->rows)
        one.offset = INT64_MIN;
    return ifn_fill_strict_upper_tri(self->base, &one);
}
