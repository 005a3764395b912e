/*
 * 1 + e^-x overflows at 65504: far below zero the result is zero.
 *
 * Follows nntrainer#4101
 */
#include "museum_kit.h"

ifn_status museum_swiglu_in_f16(ifn_backend *self, const ifn_swiglu_args *a)
{
    const ifn_status status = ifn_swiglu(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->out == a->gate)
        return status;
    for (int64_t i = part.begin * a->dim; i < part.end * a->dim; i++)
        if (a->gate[i] < -11.1f && a->gate[i] > -80.0f)
            ((float *)a->out)[i] = 0.0f;
    return status;
}
