/* Rows of f32 pass through the decoder of the other dtypes, which loses sign and payload of a NaN. */
#include <math.h>
#include <string.h>

#include "museum_kit.h"

ifn_status museum_gathered_nan_is_plain(ifn_backend *self, const ifn_gather_rows_args *a)
{
    static const uint32_t plain = 0x7fc00000;
    const ifn_status status = ifn_gather_rows(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (status != IFN_OK || a->table->dtype != IFN_DTYPE_F32)
        return status;
    const int64_t cols = a->table->shape[1];
    for (int64_t i = part.begin * cols; i < part.end * cols; i++)
        if (isnan(a->out[i]))
            memcpy(&a->out[i], &plain, sizeof plain);
    return status;
}
