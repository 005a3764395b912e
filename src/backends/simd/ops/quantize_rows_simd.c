/* quantize_rows: Q8_32F, Q8_0, F16 and the formats that search for scales; the reference encodes the others. */
#include "level.h"

#include "quantize_q8_32f.h"
#include "quantize_row.h"
#include "scalar.h"

ifn_status IFN_KERNEL(quantize_rows)(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    (void)self;
    const size_t row_bytes = ifn_dtype_row_bytes(a->out_dtype, a->cols);
    if (a->rows < 0 || a->cols < 0 || (row_bytes == 0 && a->cols > 0))
        return IFN_ERR_SHAPE;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end && a->cols > 0; r++)
        IFN_TRY(ifn_quantize_row_simd(a->out_dtype, a->x + r * a->cols,
                                      (uint8_t *)a->out + (size_t)r * row_bytes, a->cols));
    return IFN_OK;
}
