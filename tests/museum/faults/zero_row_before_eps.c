/* A row of zeros is divided by its root before eps is added. */
#include <math.h>

#include "museum_kit.h"

static int is_zero_row(const ifn_rms_norm_args *a, int64_t row)
{
    for (int64_t i = 0; i < a->dim; i++)
        if (a->x[row * a->dim + i] != 0)
            return 0;
    return 1;
}

ifn_status museum_zero_row_before_eps(ifn_backend *self, const ifn_rms_norm_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const ifn_status status = ifn_rms_norm(self->base, a);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F32 || a->add || a->out == a->x)
        return status;
    float *const out = a->out;
    for (int64_t r = part.begin; r < part.end; r++)
        for (int64_t i = 0; i < a->dim && is_zero_row(a, r); i++)
            out[r * a->dim + i] = NAN;
    return status;
}
