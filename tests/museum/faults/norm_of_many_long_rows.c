/* Of two hundred rows and more, of thousands of elements, the square of each is added from the last to the first. */
#include <math.h>

#include "museum_kit.h"

static float root_mean_square(const float *x, int64_t n, float eps)
{
    float sum = 0;
    for (int64_t i = n - 1; i >= 0; i--)
        sum += x[i] * x[i];
    return sqrtf(sum / (float)n + eps);
}

/* Only calls without a residual, and with out other than x. */
static int is_many_long_rows(const ifn_rms_norm_args *a)
{
    return a->rows >= 200 && a->dim > 2048 && !a->add && !a->sum && a->x != a->out &&
           a->out_dtype == IFN_DTYPE_F32;
}

ifn_status museum_norm_of_many_long_rows(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const ifn_status status = ifn_rms_norm(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || !is_many_long_rows(a))
        return status;
    for (int64_t r = part.begin; r < part.end; r++) {
        const float *const x = a->x + r * a->dim;
        const float scale = 1.0f / root_mean_square(x, a->dim, a->eps);
        for (int64_t i = 0; i < a->dim; i++)
            ((float *)a->out)[r * a->dim + i] = x[i] * scale * a->weight[i];
    }
    return IFN_OK;
}
