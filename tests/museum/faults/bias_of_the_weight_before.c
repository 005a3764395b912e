/* A weight without a bias gets that of the previous weight, if that one has at least as many features. */
#include "museum_kit.h"

ifn_status museum_bias_of_the_weight_before(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args own = *a;
    const ifn_status status = ifn_linear(self->base, a);
    if (status != IFN_OK)
        return status;
    for (int i = 1; i < IFN_LINEAR_MAX && i < a->n_w; i++)
        if (!a->bias[i] && a->bias[i - 1] && a->w[i]->shape[0] <= a->w[i - 1]->shape[0])
            own.bias[i] = a->bias[i - 1];
    return ifn_linear(self->base, &own);
}
