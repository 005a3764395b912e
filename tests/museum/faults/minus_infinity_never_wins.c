/*
 * The largest so far starts as -inf: what is no larger is never taken, though x[0] is NaN.
 *
 * Follows nobody in particular: an obvious one of this engine
 */
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
