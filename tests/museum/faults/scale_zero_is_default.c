/* A scale of 0 stands for the usual one. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_scale_zero_is_default(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args changed = *a;
    if (a->scale == 0 && a->head_dim > 0)
        changed.scale = 1.0f / sqrtf((float)a->head_dim);
    return ifn_attention(self->base, &changed);
}
