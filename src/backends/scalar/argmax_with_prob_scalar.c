#include "scalar.h"

#include <math.h>

ifn_status ifn_scalar_argmax_with_prob(ifn_backend *self, const ifn_argmax_with_prob_args *a)
{
    (void)self;
    if (a->n < 1 || a->n > INT32_MAX) /* the index is 32 bits wide */
        return IFN_ERR_SHAPE;
    int64_t best = 0;
    for (int64_t i = 1; i < a->n; i++)
        if (a->x[i] > a->x[best] || (isnan(a->x[best]) && !isnan(a->x[i])))
            best = i;
    *a->index = (int32_t)best;
    ifn_scalar_copy(a->value, 0, a->x, best, 1);
    return IFN_OK;
}
