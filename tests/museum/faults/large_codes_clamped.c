/* Values of Q8_32F beyond 10^37 are clamped, though d may be as large as FLT_MAX / 127. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_large_codes_clamped(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range rows = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->dtype != IFN_DTYPE_Q8_32F)
        return status;
    for (int64_t i = rows.begin * a->cols; i < rows.end * a->cols; i++)
        if (fabsf(a->out[i]) > 1e37f)
            a->out[i] = copysignf(1e37f, a->out[i]);
    return status;
}
