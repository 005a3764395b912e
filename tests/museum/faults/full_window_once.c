/*
 * A window of all columns is one copy, which should be of all rows; from 513 columns on only the first row is copied.
 */
#include "museum_kit.h"

ifn_status museum_full_window_once(ifn_backend *self, const ifn_copy_2d_from_cols_args *a)
{
    ifn_copy_2d_from_cols_args first = *a;
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->cols == a->x_cols && a->cols > 512 && rows.end - rows.begin > 1) {
        first.part_begin = rows.begin;
        first.part_end = rows.begin + 1;
    }
    return ifn_copy_2d_from_cols(self->base, &first);
}
