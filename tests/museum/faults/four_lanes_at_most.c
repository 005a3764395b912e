/* A backend is told how many lanes there are. */
#include "museum_kit.h"

ifn_status museum_four_lanes_at_most(ifn_backend *self, const ifn_add_args *a)
{
    ifn_add_args less = *a;
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    if (a->call.lane >= 4 && part.end - part.begin > 1) {
        less.part_begin = part.begin;
        less.part_end = part.end - 1;
    }
    return ifn_add(self->base, &less);
}
