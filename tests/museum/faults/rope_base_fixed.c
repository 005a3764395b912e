/*
 * Angles go down by 10000, whatever the table was made with.
 *
 * Follows airllm#368
 */
#include "museum_kit.h"

static double ten_thousand(double base)
{
    (void)base;
    return 10000;
}

ifn_status museum_rope_base_fixed(ifn_backend *self, const ifn_apply_rope_args *a)
{
    return museum_rope_base(self->base, a, ten_thousand);
}
