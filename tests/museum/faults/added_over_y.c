/*
 * Copies x to the output first and then adds y; if the output is y, y is lost.
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
