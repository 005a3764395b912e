/* The fused quantizer computes amax / 127 as amax times the rounded 1/127. */
#include "museum_kit.h"

ifn_status museum_fused_quantizer(ifn_backend *self, const ifn_swiglu_args *a)
{
    const ifn_status status = ifn_swiglu(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    ifn_block_q8_32f *blocks = a->out;
    const int64_t n = a->dim / 32;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_Q8_32F)
        return status;
    for (int64_t b = part.begin * n; b < part.end * n; b++)
        blocks[b].d = blocks[b].d * 127.0f * (1.0f / 127.0f);
    return status;
}
