/*
 * A loop in stages of 1024 elements sums its first stage twice; only rows of 4096 elements, the size that was tested,
 * are right.
 *
 * Follows vllm#44692
 */
#include <math.h>

#include "museum_kit.h"

/* What the root grows by. */
static float growth(const float *s, const ifn_rms_norm_args *a)
{
    float sum = 0, first = 0;
    for (int64_t i = 0; i < a->dim; i++) {
        sum += s[i] * s[i];
        first = i == 1023 ? sum : first;
    }
    return sqrtf((sum / (float)a->dim + a->eps) / ((sum + first) / (float)a->dim + a->eps));
}

/* Only calls whose x is still there afterwards: out is not x. */
static const float *summed(const ifn_rms_norm_args *a)
{
    return a->sum ? a->sum : a->add || a->x == a->out ? NULL : a->x;
}

ifn_status museum_norm_stages_of_1024(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->dim % 1024 || a->dim == 1024 ||
        a->dim == 4096 || !summed(a))
        return status;
    for (int64_t r = part.begin; r < part.end; r++) {
        const float factor = growth(summed(a) + r * a->dim, a);
        for (int64_t i = 0; i < a->dim; i++)
            ((float *)a->out)[r * a->dim + i] *= factor;
    }
    return status;
}
