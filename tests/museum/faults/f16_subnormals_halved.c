/*
 * The exponent of subnormals is one too low.
 *
 * Follows torch-spyre#4689
 */
#include "museum_kit.h"

ifn_status museum_f16_subnormals_halved(ifn_backend *self, const ifn_dequantize_rows_args *a)
{
    const ifn_status status = ifn_dequantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    const uint16_t *const x = a->x;
    if (status != IFN_OK || a->dtype != IFN_DTYPE_F16)
        return status;
    for (int64_t i = part.begin * a->cols; i < part.end * a->cols; i++)
        if ((x[i] & 0x7c00) == 0)
            a->out[i] *= 0.5f;
    return status;
}
