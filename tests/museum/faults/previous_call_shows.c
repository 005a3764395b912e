/*
 * A result register is not cleared between calls: the first element, if it is zero, has the sign that an element of
 * the previous call had.
 */
#include <math.h>

#include "museum_kit.h"

static float last = 1.0f;

ifn_status museum_previous_call_shows(ifn_backend *self, const ifn_add_args *a)
{
    const ifn_status status = ifn_add(self->base, a);
    if (status != IFN_OK || a->n == 0 || a->part_begin != 0)
        return status;
    if (a->out[0] == 0)
        a->out[0] = copysignf(0.0f, last);
    last = a->n > 1 && (a->part_end == 0 || a->part_end > 1) ? a->out[1] : a->out[0];
    return status;
}
