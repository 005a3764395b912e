/*
 * A mask of -inf is written as -10000.
 *
 * Follows lattice#361
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_finite_mask(ifn_backend *self, const ifn_fill_strict_upper_tri_args *a)
{
    ifn_fill_strict_upper_tri_args finite = *a;
    if (a->value == -INFINITY)
        finite.value = -10000.0f;
    return ifn_fill_strict_upper_tri(self->base, &finite);
}
