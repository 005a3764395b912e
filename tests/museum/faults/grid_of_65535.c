/* Elements after the 65535th are left as they were. */
#include "museum_kit.h"

ifn_status museum_grid_of_65535(ifn_backend *self, const ifn_add_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    ifn_add_args fewer = *a;
    if (part.end <= 65535 || part.begin >= 65535)
        return ifn_add(self->base, a);
    fewer.part_begin = part.begin;
    fewer.part_end = 65535;
    return ifn_add(self->base, &fewer);
}
