/*
 * The payload of a NaN is truncated and the quiet bit not set: a NaN with low payload bits only becomes an infinity.
 *
 * Follows rocm-libraries#11325
 */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_f16_nan_is_infinity(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_F16)
        return status;
    for (int64_t i = part.begin * a->cols; i < part.end * a->cols; i++) {
        uint32_t bits;
        memcpy(&bits, &a->x[i], sizeof bits);
        if ((bits & 0x7fffe000) == 0x7f800000)
            ((uint16_t *)a->out)[i] = (uint16_t)(bits >> 16 & 0x8000) | 0x7c00;
    }
    return status;
}
