/* eps is added to the root, not to the mean under it. */
#include <math.h>

#include "museum_kit.h"

static float norm_of(const float *x, int64_t n, float eps)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrtf(sum / (float)n) + eps;
}

ifn_status museum_eps_outside(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->add || a->out == a->x || a->out_dtype != IFN_DTYPE_F32)
        return status;
    for (int64_t r = part.begin; r < part.end; r++) {
        const float *x = a->x + r * a->dim;
        const float norm = norm_of(x, a->dim, a->eps);
        for (int64_t i = 0; i < a->dim; i++)
            ((float *)a->out)[r * a->dim + i] = x[i] / norm * a->weight[i];
    }
    return status;
}
