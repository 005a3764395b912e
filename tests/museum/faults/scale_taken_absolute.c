/* A scale below zero counts as one above. */
#include <math.h>

#include "museum_kit.h"

ifn_status museum_scale_taken_absolute(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args changed = *a;
    changed.scale = fabsf(a->scale);
    return ifn_attention(self->base, &changed);
}
