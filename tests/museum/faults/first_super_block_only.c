/*
 * A return inside the loop over blocks: elements after the first block stay zero.
 *
 * Follows 1bit-MONSTER#488
 */
#include "museum_kit.h"

ifn_status museum_first_super_block_only(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->dtype != IFN_DTYPE_Q5_K)
        return status;
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t c = 256; c < a->cols; c++)
            a->out[r * a->cols + c] = 0;
    return status;
}
