#include "scalar.h"

ifn_status ifn_scalar_transpose_2d(ifn_backend *self, const ifn_transpose_2d_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->cols);
    for (int64_t c = part.begin; c < part.end; c++)
        for (int64_t r = 0; r < a->rows; r++)
            a->out[c * a->rows + r] = a->x[r * a->cols + c];
    return IFN_OK;
}
