/* The base is kept in f16, like the weights of the model: above 65504 it becomes 65504. */
#include "museum_kit.h"

static double in_f16(double base)
{
    return base > 65504 ? 65504 : base;
}

ifn_status museum_rope_base_in_f16(ifn_backend *self, const ifn_apply_rope_args *a)
{
    return museum_rope_base(self->base, a, in_f16);
}
