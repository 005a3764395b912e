/* From 64 rows on, everything is filled from an offset that is too early by one. */
#include "museum_kit.h"

ifn_status museum_border_one_too_early(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    ifn_fill_strict_upper_tri_args early = *a;
    if (a->rows >= 64 && a->offset == 1 - a->rows)
        early.offset = -a->rows;
    return ifn_fill_strict_upper_tri(self->base, &early);
}
