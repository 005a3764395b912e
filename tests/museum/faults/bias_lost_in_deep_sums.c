/*
 * A product of few rows and a great depth is split along k, and the code that adds up the partial sums forgets the
 * bias.
 */
#include "museum_kit.h"

ifn_status museum_bias_lost_in_deep_sums(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args split = *a;
    for (int64_t i = 0; i < IFN_LINEAR_MAX && a->k >= 4096 && a->rows <= 4; i++)
        split.bias[i] = NULL;
    return ifn_linear(self->base, &split);
}
