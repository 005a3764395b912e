/* gather_rows: decodes the rows that ids name, from the raw or the packed table, after it has checked all ids. */
#include "level.h"

#include "dequantize_row.h"

static int fits(const ifn_gather_rows_args *a)
{
    const ifn_tensor *const table = a->table;
    if (a->n < 0 || table->n_dims != 2 || table->shape[0] < 0 || table->dtype == IFN_DTYPE_Q8_32F)
        return 0;
    return table->shape[1] == 0 || ifn_dtype_row_bytes(table->dtype, table->shape[1]) > 0;
}

static ifn_status decode(const ifn_gather_rows_args *a, int64_t row, float *out)
{
    const ifn_tensor *const table = a->table;
    const ifn_simd_weight *const packed = a->packed;
    const int64_t cols = table->shape[1];
    if (packed) {
        packed->packing->row(table, packed->rows, row, out);
        return IFN_OK;
    }
    const size_t row_bytes = ifn_dtype_row_bytes(table->dtype, cols);
    return ifn_dequantize_row_simd(
        table->dtype, (const uint8_t *)table->data + (size_t)row * row_bytes, out, cols);
}

ifn_status IFN_KERNEL(gather_rows)(ifn_backend *self, const ifn_gather_rows_args *a)
{
    (void)self;
    if (!fits(a))
        return IFN_ERR_SHAPE;
    const ifn_tensor *const table = a->table;
    const int64_t cols = table->shape[1];
    const ifn_range part = ifn_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        if (a->ids[i] < 0 || a->ids[i] >= table->shape[0])
            return IFN_ERR_ARGUMENT;
    for (int64_t i = part.begin; i < part.end && cols > 0; i++)
        IFN_TRY(decode(a, a->ids[i], a->out + i * cols));
    return IFN_OK;
}
