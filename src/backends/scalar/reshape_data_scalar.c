#include "scalar.h"

ifn_status ifn_scalar_reshape_data(ifn_backend *self, const ifn_reshape_data_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0 || a->out_rows < 0 || a->out_cols < 0 ||
        a->rows * a->cols != a->out_rows * a->out_cols)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->rows * a->cols);
    if (a->out != a->x)
        ifn_scalar_copy(a->out, part.begin, a->x, part.begin, part.end - part.begin);
    return IFN_OK;
}
