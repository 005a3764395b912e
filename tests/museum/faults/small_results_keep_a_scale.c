/* Blocks of Q8_32F below 2^-118 should be blocks of zeros, with scale 0; they keep a scale of 2^-126. */
#include "museum_kit.h"

ifn_status museum_small_results_keep_a_scale(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_block_q8_32f *const block = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_Q8_32F)
        return status;
    for (int64_t i = rows.begin * (a->dim / 32); i < rows.end * (a->dim / 32); i++)
        if (block[i].d == 0 && museum_largest(a->weight + i % (a->dim / 32) * 32) > 0)
            block[i].d = 0x1p-126f;
    return status;
}
