/*
 * Newton's step multiplies x by its estimate: at zero and at infinity that is 0 * inf.
 *
 * Follows ncnn#6903
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_rsqrt_refined_at_zero(ifn_backend *self, const ifn_rsqrt_elem_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_rsqrt_elem(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && a->out != a->x && i < part.end; i++)
        if (a->x[i] == 0 || isinf(a->x[i]))
            a->out[i] = NAN;
    return status;
}
