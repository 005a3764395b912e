#include "scalar.h"

ifn_status ifn_scalar_copy_row_2d(ifn_backend *self, const ifn_copy_row_2d_args *a)
{
    (void)self;
    if (a->cols < 0 || a->out_row < 0 || a->out_row >= a->out_rows || a->x_row < 0 ||
        a->x_row >= a->x_rows)
        return IFN_ERR_SHAPE;
    ifn_scalar_copy(a->out, a->out_row * a->cols, a->x, a->x_row * a->cols, a->cols);
    return IFN_OK;
}
