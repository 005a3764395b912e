/* All elements are clamped to finite values. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_concat_caps_infinity(ifn_backend *self, const ifn_concat_dim0_args *a)
{
    const ifn_status status = ifn_concat_dim0(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->a_rows + a->b_rows);
    for (int64_t i = part.begin * a->cols; status == IFN_OK && i < part.end * a->cols; i++)
        if (isinf(a->out[i]))
            a->out[i] = copysignf(0x1.fffffep127f, a->out[i]);
    return status;
}
