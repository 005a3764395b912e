/* Scores are not scaled. */
#include "museum_kit.h"

ifn_status museum_scale_forgotten(ifn_backend *self, const ifn_attention_args *a)
{
    ifn_attention_args plain = *a;
    plain.scale = 1.0f;
    return ifn_attention(self->base, &plain);
}
