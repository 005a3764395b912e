/* The search for the maximum starts from -inf: a row of NaN and -inf keeps index 0, though x[0] is NaN. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_minus_infinity_never_wins(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK && *a->value == -INFINITY && isnan(a->x[0])) {
        *a->index = 0;
        *a->value = a->x[0];
    }
    return status;
}
