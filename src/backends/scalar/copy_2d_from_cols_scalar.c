#include "scalar.h"

ifn_status ifn_scalar_copy_2d_from_cols(ifn_backend *self, const ifn_copy_2d_from_cols_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0 || a->x_cols < 0 || a->col_begin < 0 ||
        a->cols > a->x_cols - a->col_begin)
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        ifn_scalar_copy(a->out, r * a->cols, a->x, r * a->x_cols + a->col_begin, a->cols);
    return IFN_OK;
}
