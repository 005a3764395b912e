/* A NaN in front is never beaten, as no comparison with it holds. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_argmax_nan_first(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK && isnan(a->x[0])) {
        *a->index = 0;
        *a->value = a->x[0];
    }
    return status;
}
