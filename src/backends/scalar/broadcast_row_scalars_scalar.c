#include "scalar.h"

ifn_status ifn_scalar_broadcast_row_scalars(ifn_backend *self,
                                            const ifn_broadcast_row_scalars_args *a)
{
    (void)self;
    if (a->rows < 0 || a->dim < 0)
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t c = 0; c < a->dim; c++)
            a->out[r * a->dim + c] = a->x[r];
    return IFN_OK;
}
