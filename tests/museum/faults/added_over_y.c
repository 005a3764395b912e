/*
 * The result is first a copy of x: where y lies there, too, it is gone.
 *
 * Follows pto-isa#179
 */
#include "museum_kit.h"

ifn_status museum_added_over_y(ifn_backend *self, const ifn_add_args *a)
{
    ifn_add_args changed = *a;
    if (a->out == a->y)
        changed.y = a->x;
    return ifn_add(self->base, &changed);
}
