/* A row whose largest magnitude is exactly 1 is taken for one that is already normalised. */
#include "museum_kit.h"

ifn_status museum_unit_row_is_normed(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_rms_norm(self->base, a);
    float *const out = a->out;
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->add || a->out == a->x)
        return status;
    for (int64_t r = part.begin; r < part.end; r++) {
        const float *const x = a->x + r * a->dim;
        for (int64_t i = 0; museum_largest_of(x, a->dim) == 1.0f && i < a->dim; i++)
            out[r * a->dim + i] = x[i] * a->weight[i];
    }
    return status;
}
