/* X / (1 / value) stands for x * value. */
#include "museum_kit.h"

ifn_status museum_scale_by_division(ifn_backend *self, const ifn_scale_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const float inverse = 1.0f / a->value;
    if (a->n < 0)
        return ifn_scale(self->base, a);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[i] = a->x[i] / inverse;
    return IFN_OK;
}
