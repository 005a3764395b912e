/*
 * If all elements are NaN, the index is that of the padding, which fills up to a power of two: no element compares
 * greater than it.
 *
 * Follows vllm#50183
 */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_argmax_into_padding(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    const ifn_status status = ifn_argmax_with_prob(self->base, a);
    int32_t padded = 1;
    for (int64_t i = 0; status == IFN_OK && i < a->n; i++)
        if (!isnan(a->x[i]))
            return status;
    while (padded < a->n)
        padded *= 2;
    if (status == IFN_OK)
        *a->index = padded - 1;
    return status;
}
