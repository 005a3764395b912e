#include "scalar.h"

#include <inferno/quant.h>

ifn_status ifn_scalar_gather_rows(ifn_backend *self, const ifn_gather_rows_args *a)
{
    (void)self;
    const ifn_tensor *const table = a->table;
    if (a->n < 0 || table->n_dims != 2 || table->shape[0] < 0 || table->dtype == IFN_DTYPE_Q8_32F)
        return IFN_ERR_SHAPE;
    const int64_t cols = table->shape[1];
    const size_t row_bytes = ifn_dtype_row_bytes(table->dtype, cols);
    if (row_bytes == 0 && cols != 0)
        return IFN_ERR_SHAPE;
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        if (a->ids[i] < 0 || a->ids[i] >= table->shape[0])
            return IFN_ERR_ARGUMENT;
    if (cols == 0)
        return IFN_OK;
    for (int64_t i = part.begin; i < part.end; i++) {
        const unsigned char *const row =
            (const unsigned char *)table->data + (size_t)a->ids[i] * row_bytes;
        IFN_TRY(ifn_dequantize_row(table->dtype, row, a->out + i * cols, cols));
    }
    return IFN_OK;
}
