/* A maximum that ignores NaN includes the contents of scratch, which may be any number. */
#include "museum_kit.h"

ifn_status museum_scratch_in_a_maximum(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const float *const scratch = a->call.scratch;
    const ifn_status status = ifn_rms_norm(self->base, a);
    if (status != IFN_OK || !scratch || a->out_dtype != IFN_DTYPE_F32 || a->rows < 1)
        return status;
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    float *const out = (float *)a->out + rows.begin * a->dim;
    if (scratch[0] > 1 && scratch[0] < 2)
        *out += scratch[0];
    return status;
}
