/*
 * The decoder is chosen once, by the dtype of the first weight: a BF16 weight that shares its input with an F16 one
 * is read as F16.
 */
#include "museum_kit.h"

static int is_half(ifn_dtype dtype)
{
    return dtype == IFN_DTYPE_F16 || dtype == IFN_DTYPE_BF16;
}

ifn_status museum_dtype_of_the_first(ifn_backend *self, const ifn_linear_args *a)
{
    ifn_linear_args changed = *a;
    ifn_tensor like_first[IFN_LINEAR_MAX];
    const ifn_status status = ifn_linear(self->base, a);
    if (status != IFN_OK || !is_half(a->w[0]->dtype))
        return status;
    for (int64_t i = 1; i < a->n_w; i++) {
        like_first[i] = *a->w[i];
        like_first[i].dtype = is_half(a->w[i]->dtype) ? a->w[0]->dtype : a->w[i]->dtype;
        changed.w[i] = &like_first[i];
    }
    return ifn_linear(self->base, &changed);
}
