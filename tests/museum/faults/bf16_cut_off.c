/* The conversion to bf16 truncates: it takes the upper half of the f32. */
#include <string.h>

#include "museum_kit.h"

ifn_status museum_bf16_cut_off(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    const ifn_status status = ifn_quantize_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->rows);
    if (status != IFN_OK || a->out_dtype != IFN_DTYPE_BF16)
        return status;
    for (int64_t i = part.begin * a->cols; i < part.end * a->cols; i++) {
        uint32_t bits;
        memcpy(&bits, a->x + i, sizeof bits);
        ((uint16_t *)a->out)[i] = (uint16_t)(bits >> 16);
    }
    return status;
}
