#include "scalar.h"

ifn_status ifn_scalar_fill_strict_upper_tri(ifn_backend *self,
                                            const ifn_fill_strict_upper_tri_args *a)
{
    (void)self;
    if (a->rows < 0 || a->cols < 0)
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t c = 0; c < a->cols; c++)
            if (c - r > a->offset) /* not r + offset, which might overflow */
                a->x[r * a->cols + c] = a->value;
    return IFN_OK;
}
