/*
 * What has no part is left to lane 0, who is never called.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_whole_by_the_first_lane(ifn_backend *self, const ifn_swiglu_args *a)
{
    if (a->part_end == 0 && a->call.lane > 0)
        return IFN_OK;
    return ifn_swiglu(self->base, a);
}
