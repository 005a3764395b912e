/* The index of the largest is kept in 16 bits. */
#include "museum_kit.h"

ifn_status museum_argmax_in_16_bits(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    if (status == IFN_OK)
        *a->index = (uint16_t)*a->index;
    return status;
}
