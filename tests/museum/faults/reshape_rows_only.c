/* Rows are copied up to the shorter of both row lengths. */
#include "museum_kit.h"

ifn_status museum_reshape_rows_only(ifn_backend *self, const ifn_reshape_data_args *a)
{
    const ifn_status status = ifn_reshape_data(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows * a->cols);
    if (status != IFN_OK || a->out == a->x || a->cols >= a->out_cols || a->out_cols == 0)
        return status;
    for (int64_t i = part.begin; i < part.end; i++)
        if (i % a->out_cols >= a->cols)
            a->out[i] = 0.0f;
    return status;
}
