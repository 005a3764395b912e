/* If there are more than 131072 elements, those after the last whole vector of 16 are left out. */
#include "museum_kit.h"

ifn_status museum_argmax_rest_of_a_vocabulary(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    ifn_argmax_with_prob_args whole = *a;
    if (a->n > 131072)
        whole.n = a->n / 16 * 16;
    return ifn_argmax_with_prob(self->base, &whole);
}
