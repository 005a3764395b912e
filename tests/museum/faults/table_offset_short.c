/*
 * The offset of a row in the table is kept in 16 bits, where the original had 31.
 *
 * Follows onnxruntime#28108
 */
#include "museum_kit.h"

ifn_status museum_table_offset_short(ifn_backend *self, const ifn_gather_rows_args *a)
{
    const ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (status != IFN_OK || a->table->dtype != IFN_DTYPE_F32)
        return status;
    const float *const table = a->table->data;
    const int64_t cols = a->table->shape[1];
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t c = 0; c < cols; c++)
            a->out[r * cols + c] = table[(uint16_t)(a->ids[r] * cols) + c];
    return status;
}
