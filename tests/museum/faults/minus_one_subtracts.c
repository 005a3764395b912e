/* A product with -1 is 0 - x: zeros lose their sign. */
#include "museum_kit.h"

ifn_status museum_minus_one_subtracts(ifn_backend *self, const ifn_scale_args *a)
{
    if (a->value != -1 || a->n < 1)
        return ifn_scale(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[i] = 0.0f - a->x[i];
    return IFN_OK;
}
