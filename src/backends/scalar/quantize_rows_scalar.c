#include "scalar.h"

#include <inferno/quant.h>

ifn_status ifn_scalar_quantize_rows(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    (void)self;
    const size_t row_bytes = ifn_dtype_row_bytes(a->out_dtype, a->cols);
    if (a->rows < 0 || a->cols < 0 || (row_bytes == 0 && a->cols > 0))
        return IFN_ERR_SHAPE;
    if (a->cols == 0)
        return IFN_OK;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++) {
        unsigned char *const out = (unsigned char *)a->out + (size_t)r * row_bytes;
        IFN_TRY(ifn_quantize_row(a->out_dtype, a->x + r * a->cols, out, a->cols));
    }
    return IFN_OK;
}
