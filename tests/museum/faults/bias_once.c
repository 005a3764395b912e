/* Only the first of the weights that share an input gets its bias. */
#include "museum_kit.h"

ifn_status museum_bias_once(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args first = *a;
    for (int i = 1; i < IFN_LINEAR_MAX; i++)
        first.bias[i] = NULL;
    return ifn_linear(self->base, &first);
}
