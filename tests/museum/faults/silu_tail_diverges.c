/*
 * The sigmoid is clamped at -18, what it is multiplied with is not.
 *
 * Follows tract#2506
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_silu_tail_diverges(ifn_backend *self, const ifn_silu_args *a)
{
    const ifn_status status = ifn_silu(self->base, a);
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const float least = 1.0f / (1.0f + expf(18.0f));
    for (int64_t i = part.begin; status == IFN_OK && a->out != a->x && i < part.end; i++)
        if (a->x[i] < -18.0f && isfinite(a->x[i]))
            a->out[i] = a->x[i] * least;
    return status;
}
