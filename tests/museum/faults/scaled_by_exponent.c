/* A power of two is added to exponents; what of a subnormal result has no bit is cut off. */
#include <math.h>

#include "museum_kit.h"

/* The product is exact in f64. */
static float scaled(float x, float value)
{
    const double exact = (double)x * (double)value;
    const float rounded = (float)exact;
    return fabs((double)rounded) > fabs(exact) && fabsf(rounded) < 0x1p-126f
               ? nextafterf(rounded, 0)
               : rounded;
}

ifn_status museum_scaled_by_exponent(ifn_backend *self, const ifn_scale_args *a)
{
    const museum_range part = museum_part(a->part_begin, a->part_end, a->n);
    int exponent;
    if (a->n < 0 || !isnormal(a->value) || fabsf(frexpf(a->value, &exponent)) != 0.5f)
        return ifn_scale(self->base, a);
    for (int64_t i = part.begin; i < part.end; i++)
        a->out[i] = scaled(a->x[i], a->value);
    return IFN_OK;
}
