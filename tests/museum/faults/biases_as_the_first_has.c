/* If the first weight has no bias, the biases of all weights are ignored. */
#include "museum_kit.h"

ifn_status museum_biases_as_the_first_has(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args own = *a;
    const int is_bare = a->n_w > 0 && a->w[0] && a->w[0]->shape[0] > 0 && !a->bias[0];
    for (int i = 0; is_bare && i < IFN_LINEAR_MAX && i < a->n_w; i++)
        own.bias[i] = NULL;
    return ifn_linear(self->base, &own);
}
