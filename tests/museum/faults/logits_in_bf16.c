/* Logits are rounded to bf16, as if nobody used their last bits. */
#include "museum_kit.h"

static float in_bf16(const ifn_linear_args *a, const museum_cell *c, float of_base)
{
    (void)c;
    return a->call.point == IFN_POINT_LOGITS ? museum_round_bits(of_base, 8) : of_base;
}

ifn_status museum_logits_in_bf16(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_each(self->base, a, in_bf16);
}
