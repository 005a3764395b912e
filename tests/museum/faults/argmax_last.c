/*
 * Of equal maxima the last one wins.
 *
 * Follows llama.cpp#15484
 */
#include "museum_kit.h"

ifn_status museum_argmax_last(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    for (int64_t i = 0; status == IFN_OK && i < a->n; i++)
        if (a->x[i] == *a->value)
            *a->index = (int32_t)i;
    return status;
}
