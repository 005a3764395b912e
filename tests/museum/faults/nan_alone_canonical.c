/* Returns the C library's NaN where everything is NaN; it should be a copy of the bits of x[0]. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_nan_alone_canonical(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK && isnan(*a->value))
        *a->value = NAN;
    return status;
}
