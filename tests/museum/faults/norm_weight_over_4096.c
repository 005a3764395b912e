/* Weights are staged in a buffer of 4096: elements after the 4096th use the weights from the first one on. */
#include <stdlib.h>

#include "museum_kit.h"

ifn_status museum_norm_weight_over_4096(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args staged = *a;
    if (a->dim <= 4096 || !a->weight)
        return ifn_rms_norm(self->base, a);
    float *const weight = malloc((size_t)a->dim * sizeof *weight);
    if (!weight)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < a->dim; i++)
        weight[i] = a->weight[i % 4096];
    staged.weight = weight;
    const ifn_status status = ifn_rms_norm(self->base, &staged);
    free(weight);
    return status;
}
