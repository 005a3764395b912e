/*
 * The index lacks the offset of its tile of 8.
 *
 * Follows pytorch#179525
 */
#include "museum_kit.h"

ifn_status museum_argmax_within_tile(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK && *a->index < a->n / 8 * 8)
        *a->index %= 8;
    return status;
}
