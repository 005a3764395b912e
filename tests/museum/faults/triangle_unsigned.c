/*
 * The column a triangle begins at in a row has no sign: before column 0 it is after the last
 * one.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_triangle_unsigned(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    ifn_fill_strict_upper_tri_args after = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->rows < 1 || a->cols < 0 || a->offset >= -1)
        return ifn_fill_strict_upper_tri(self->base, a);
    after.part_begin = part.begin > -1 - a->offset ? part.begin : -1 - a->offset;
    after.part_end = part.end;
    return after.part_begin < part.end ? ifn_fill_strict_upper_tri(self->base, &after) : IFN_OK;
}
