/*
 * The third lane copies the last element of its part instead of scaling it, as if its number had only one bit in the
 * tail code.
 */
#include "museum_kit.h"

ifn_status museum_third_lane_copies(ifn_backend *self, const ifn_scale_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const float last = part.end > part.begin ? a->x[part.end - 1] : 0;
    const ifn_status status = ifn_scale(self->base, a);
    if (status == IFN_OK && a->call.lane == 2 && part.end > part.begin)
        a->out[part.end - 1] = last;
    return status;
}
