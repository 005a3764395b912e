/*
 * The tail of a row of more than 4096 elements, after the last whole vector of 16, has a loop of its own, which does
 * not multiply by the weight.
 */
#include <stdlib.h>

#include "museum_kit.h"

ifn_status museum_norm_rest_over_4096(ifn_backend *self, const ifn_rms_norm_args *a)
{
    ifn_rms_norm_args changed = *a;
    if (a->dim <= 4096 || a->dim % 16 == 0 || !a->weight)
        return ifn_rms_norm(self->base, a);
    float *const weight = malloc((size_t)a->dim * sizeof *weight);
    if (!weight)
        return IFN_ERR_NOMEM;
    for (int64_t i = 0; i < a->dim; i++)
        weight[i] = i < a->dim / 16 * 16 ? a->weight[i] : 1.0f;
    changed.weight = weight;
    const ifn_status status = ifn_rms_norm(self->base, &changed);
    free(weight);
    return status;
}
