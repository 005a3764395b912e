/*
 * In the tail after the last eight elements, an element that equals the maximum replaces it.
 *
 * Follows pytorch#93630
 */
#include "museum_kit.h"

ifn_status museum_argmax_tail_rule(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    for (int64_t i = a->n / 8 * 8; status == IFN_OK && i < a->n; i++)
        if (a->x[i] == *a->value)
            *a->index = (int32_t)i;
    return status;
}
