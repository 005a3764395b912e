/* Many rows whose window is all columns are one copy from the first row of a part to the last of all. */
#include "museum_kit.h"

ifn_status museum_window_to_the_last_row(ifn_backend *self, const ifn_copy_2d_into_cols_args *a)
{
    ifn_copy_2d_into_cols_args all = *a;
    if (a->rows >= 128 && a->cols == a->out_cols && a->cols % 16 == 0 && a->part_end > 0)
        all.part_end = a->rows;
    return ifn_copy_2d_into_cols(self->base, &all);
}
