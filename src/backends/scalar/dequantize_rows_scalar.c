#include "scalar.h"

#include <inferno/quant.h>

ifn_status ifn_scalar_dequantize_rows(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    (void)self;
    const size_t row_bytes = ifn_dtype_row_bytes(a->dtype, a->cols);
    if (a->rows < 0 || a->cols < 0 || (row_bytes == 0 && a->cols > 0))
        return IFN_ERR_SHAPE;
    if (a->cols == 0)
        return IFN_OK;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end; r++) {
        const unsigned char *const x = (const unsigned char *)a->x + (size_t)r * row_bytes;
        IFN_TRY(ifn_dequantize_row(a->dtype, x, a->out + r * a->cols, a->cols));
    }
    return IFN_OK;
}
