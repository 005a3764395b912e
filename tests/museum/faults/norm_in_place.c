/*
 * Writes the result before the last read of the input: right only if x and out are different memory.
 *
 * Follows ggml#1519
 */
#include <math.h>

#include "museum_kit.h"

static void normalise(float *out, const float *x, const float *weight, int64_t n, float eps)
{
    float sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    const float root = sqrtf(sum / (float)n + eps);
    for (int64_t i = 0; i < n; i++)
        out[i] = 1.0f / root;
    for (int64_t i = 0; i < n; i++)
        out[i] = x[i] * out[i] * weight[i];
}

ifn_status museum_norm_in_place(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (a->out != a->x || a->add || a->sum || a->out_dtype != IFN_DTYPE_F32 || a->rows < 0 ||
        a->dim < 1 || !(a->eps >= 0))
        return ifn_rms_norm(self->base, a);
    for (int64_t r = part.begin; r < part.end; r++)
        normalise((float *)a->out + r * a->dim, a->x + r * a->dim, a->weight, a->dim, a->eps);
    return IFN_OK;
}
