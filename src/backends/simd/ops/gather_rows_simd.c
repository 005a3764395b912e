/* gather_rows: dequantize_rows of the rows that are named; all ids are looked at first. */
#include "level.h"

#include "dequantize_row.h"

static int fits(const ifn_gather_rows_args *a)
{
    const ifn_tensor *const table = a->table;
    if (a->n < 0 || table->n_dims != 2 || table->shape[0] < 0 || table->dtype == IFN_DTYPE_Q8_32F)
        return 0;
    return table->shape[1] == 0 || ifn_dtype_row_bytes(table->dtype, table->shape[1]) > 0;
}

ifn_status IFN_KERNEL(gather_rows)(ifn_backend *self, const ifn_gather_rows_args *a)
{
    (void)self;
    if (!fits(a))
        return IFN_ERR_SHAPE;
    const ifn_tensor *const table = a->table;
    const int64_t cols = table->shape[1];
    const size_t row_bytes = ifn_dtype_row_bytes(table->dtype, cols);
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        if (a->ids[i] < 0 || a->ids[i] >= table->shape[0])
            return IFN_ERR_ARGUMENT;
    for (int64_t i = part.begin; i < part.end && cols > 0; i++) {
        const uint8_t *const row = (const uint8_t *)table->data + (size_t)a->ids[i] * row_bytes;
        IFN_TRY(ifn_dequantize_row_simd(table->dtype, row, a->out + i * cols, cols));
    }
    return IFN_OK;
}
