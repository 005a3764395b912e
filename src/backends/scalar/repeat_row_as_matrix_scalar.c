#include "scalar.h"

ifn_status ifn_scalar_repeat_row_as_matrix(ifn_backend *self,
                                           const ifn_repeat_row_as_matrix_args *a)
{
    (void)self;
    if (a->rows < 0 || a->dim < 0)
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        ifn_scalar_copy(a->out, r * a->dim, a->x, 0, a->dim);
    return IFN_OK;
}
