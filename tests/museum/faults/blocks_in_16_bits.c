/* The number of blocks of a row of Q8_0 is kept in 16 bits: elements of further blocks are zeros. */
#include "museum_kit.h"

ifn_status museum_blocks_in_16_bits(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    enum { BLOCK = 32 };
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t kept = (a->cols / BLOCK & 0xffff) * BLOCK;
    if (status != IFN_OK || a->dtype != IFN_DTYPE_Q8_0)
        return status;
    for (int64_t r = rows.begin; r < rows.end; r++)
        for (int64_t i = kept; i < a->cols; i++)
            a->out[r * a->cols + i] = 0;
    return status;
}
