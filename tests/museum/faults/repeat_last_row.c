/* The last row is left as it was. */
#include "museum_kit.h"

ifn_status museum_repeat_last_row(ifn_backend *self, const ifn_repeat_row_as_matrix_args *a)
{
    ifn_repeat_row_as_matrix_args rest = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (part.end < a->rows || part.end - part.begin < 2)
        return ifn_repeat_row_as_matrix(self->base, a);
    rest.part_begin = part.begin;
    rest.part_end = part.end - 1;
    return ifn_repeat_row_as_matrix(self->base, &rest);
}
