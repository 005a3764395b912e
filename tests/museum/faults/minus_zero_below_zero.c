/*
 * Floats are compared as integers of their bits: +0 wins over an earlier -0.
 *
 * Follows q27#14
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_minus_zero_below_zero(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status != IFN_OK || *a->value != 0 || !signbit(*a->value))
        return status;
    for (int64_t i = *a->index; i < a->n; i++)
        if (a->x[i] == 0 && !signbit(a->x[i])) {
            *a->index = (int32_t)i;
            *a->value = a->x[i];
            break;
        }
    return status;
}
