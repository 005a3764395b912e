/* dequantize_rows: a load, a conversion and a product per VL elements; bound by memory. */
#include "level.h"

#include "dequantize_row.h"

ifn_status IFN_KERNEL(dequantize_rows)(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    (void)self;
    const size_t row_bytes = ifn_dtype_row_bytes(a->dtype, a->cols);
    if (a->rows < 0 || a->cols < 0 || (row_bytes == 0 && a->cols > 0))
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end && a->cols > 0; r++)
        IFN_TRY(ifn_dequantize_row_simd(a->dtype, (const uint8_t *)a->x + (size_t)r * row_bytes,
                                        a->out + r * a->cols, a->cols));
    return IFN_OK;
}
