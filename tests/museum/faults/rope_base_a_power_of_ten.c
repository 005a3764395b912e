/* Bases are stored as exponents of ten: 500 000 becomes a million. */
#include <math.h>

#include "museum_kit.h"

static double power_of_ten(double base)
{
    return pow(10, rint(log10(base)));
}

ifn_status museum_rope_base_a_power_of_ten(ifn_backend *self, const ifn_apply_rope_args *a)
{
    return museum_rope_base(self->base, a, power_of_ten);
}
