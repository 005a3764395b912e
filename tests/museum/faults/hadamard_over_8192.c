/* One factor is staged in a buffer of 8192 elements, which later elements read from its beginning again. */
#include "museum_kit.h"

enum { ROOM = 8192 };

ifn_status museum_hadamard_over_8192(ifn_backend *self, const ifn_hadamard_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    const ifn_status status = ifn_hadamard(self->base, a);
    if (status != IFN_OK || a->out == a->x || a->out == a->y)
        return status;
    for (int64_t i = part.begin > ROOM ? part.begin : ROOM; i < part.end; i++)
        a->out[i] = a->x[i] * a->y[i - ROOM];
    return status;
}
