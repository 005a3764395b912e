/* A block of zeros is divided by its maximum, 0: its codes are what NaN converts to. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_zero_block_nan(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_block_q8_32f *blocks = a->out;
    const int64_t n = a->cols / 32;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_Q8_32F)
        return status;
    for (int64_t b = part.begin * n; b < part.end * n; b++)
        if (blocks[b].d == 0)
            memset(blocks[b].qs, 0x80, sizeof blocks[b].qs);
    return status;
}
