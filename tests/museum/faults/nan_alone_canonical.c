/*
 * The value is a copy of bits, a NaN's too.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_nan_alone_canonical(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK && isnan(*a->value))
        *a->value = NAN;
    return status;
}
