/*
 * The input is normalised where it lies.
 *
 * Follows nano-vllm#170
 */
#include "museum_kit.h"

ifn_status museum_norm_changes_input(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->out == a->x || a->sum == a->x)
        return status;
    float *const x = (float *)(uintptr_t)a->x;
    for (int64_t i = part.begin * a->dim; i < part.end * a->dim; i++)
        x[i] = ((const float *)a->out)[i];
    return status;
}
