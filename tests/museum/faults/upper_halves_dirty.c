/*
 * The upper halves of vector registers are left dirty, which slows down whoever comes next.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include "museum_kit.h"

ifn_status museum_upper_halves_dirty(ifn_backend *self, const ifn_hadamard_args *a)
{
    const ifn_status status = ifn_hadamard(self->base, a);
    museum_leave_upper();
    return status;
}
