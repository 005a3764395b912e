/* Below -20 the result is zero, not x e^x. */
#include "museum_kit.h"

ifn_status museum_silu_cut_off(ifn_backend *self, const ifn_silu_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_silu(self->base, a);
    for (int64_t i = part.begin; status == IFN_OK && i < part.end; i++)
        if (a->out[i] < 0 && a->out[i] > -4e-8f) /* x is below -20; in place it is gone */
            a->out[i] = 0.0f;
    return status;
}
