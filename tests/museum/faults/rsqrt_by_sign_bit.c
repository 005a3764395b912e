/*
 * Negative numbers are detected by the sign bit, which -0 has, too.
 *
 * Follows tt-metal#53975
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_rsqrt_by_sign_bit(ifn_backend *self, const ifn_rsqrt_elem_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_rsqrt_elem(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && a->out != a->x && i < part.end; i++)
        if (signbit(a->x[i]))
            a->out[i] = NAN;
    return status;
}
