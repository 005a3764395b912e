/* Elements after the 16384th of a row are given those of its beginning. */
#include "museum_kit.h"

ifn_status museum_swiglu_over_16384(ifn_backend *self, const ifn_swiglu_args *a)
{
    const ifn_status status = ifn_swiglu(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    float *const out = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32)
        return status;
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t i = 16384; i < a->dim; i++)
            out[r * a->dim + i] = out[r * a->dim + i - 16384];
    return status;
}
