/*
 * From 32 768 elements on another path is taken, in which the first NaN wins.
 */
#include "museum_kit.h"

ifn_status museum_nan_wins_in_a_vocabulary(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    for (int64_t i = 32768; status == IFN_OK && i < a->n; i++)
        if (a->x[i] != a->x[i]) {
            *a->index = (int32_t)i;
            *a->value = a->x[i];
            break;
        }
    return status;
}
