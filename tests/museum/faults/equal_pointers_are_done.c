/*
 * x * x is legal, and its result is not there yet.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_equal_pointers_are_done(ifn_backend *self, const ifn_hadamard_args *a)
{
    return a->x == a->y && a->out != a->x ? IFN_OK : ifn_hadamard(self->base, a);
}
