/* A block of results whose largest magnitude is just large enough for codes is stored as zeros. */
#include "museum_kit.h"

ifn_status museum_gated_at_the_edge(ifn_backend *self, const ifn_swiglu_args *a)
{
    const ifn_status status = ifn_swiglu(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    const int64_t blocks = a->dim / 32;
    ifn_block_q8_32f *const out = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_Q8_32F)
        return status;
    for (int64_t i = rows.begin * blocks; i < rows.end * blocks; i++)
        if (out[i].d == 0x1p-118f / 127.0f)
            museum_clear_block(&out[i]);
    return status;
}
