/* quantize_rows: activations here, the types of files as the reference has them. */
#include "level.h"

#include "quantize_q8_32f.h"
#include "scalar.h"

ifn_status IFN_KERNEL(quantize_rows)(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    if (a->out_dtype != IFN_DTYPE_Q8_32F)
        return ifn_scalar_quantize_rows(self, a);
    if (a->rows < 0 || a->cols < 0 || a->cols % 32 != 0)
        return IFN_ERR_SHAPE;
    const int64_t n_blocks = a->cols / 32;
    const ifn_range rows = ifn_part(a->part_begin, a->part_end, a->rows);
    for (int64_t r = rows.begin; r < rows.end && n_blocks > 0; r++)
        ifn_quantize_row_q8_32f(a->x + r * a->cols, (ifn_block_q8_32f *)a->out + r * n_blocks,
                                n_blocks);
    return IFN_OK;
}
