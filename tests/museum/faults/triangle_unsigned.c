/*
 * The column at which a row's triangle begins is unsigned: a negative one is past the last column, and the row is not
 * filled.
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
