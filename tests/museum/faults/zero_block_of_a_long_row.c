/*
 * Blocks of zeros in rows of more than 4096 have a scale of 0/0.
 */
#include "museum_kit.h"

ifn_status museum_zero_block_of_a_long_row(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_block_q8_0 *const blocks = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_Q8_0 || a->cols <= 4096)
        return status;
    for (int64_t i = part.begin * a->cols / 32; i < part.end * a->cols / 32; i++)
        if (blocks[i].d == 0)
            blocks[i].d = 0x7e00;
    return status;
}
