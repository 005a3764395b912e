#include "halves.h"

#include <math.h>
#include <string.h>

double conform_f16_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double magnitude;
    if (exponent == 31)
        magnitude = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        magnitude = fraction * 0x1p-24;
    else
        magnitude = (1024 + fraction) * (double)(1 << exponent) * 0x1p-25;
    return bits >> 15 ? -magnitude : magnitude;
}

/* Rounds to `significant` bits, but to no unit below 2^lowest_unit, by nearbyint: to nearest, ties to even. */
static double round_to(double magnitude, int significant, int lowest_unit)
{
    int unit = conform_exponent_of(magnitude) - significant;
    unit = unit > lowest_unit ? unit : lowest_unit;
    return nearbyint(magnitude * conform_power_of_two(-unit)) * conform_power_of_two(unit);
}

uint16_t conform_f16_nearest(double x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    if (isnan(x))
        return (uint16_t)(sign | 0x7e00);
    const double magnitude = isinf(x) ? fabs(x) : round_to(fabs(x), 11, -24);
    if (magnitude >= 65536.0)
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x1p-14)
        return (uint16_t)(sign | (int)(magnitude * 0x1p24));
    const int exponent = conform_exponent_of(magnitude);
    return (uint16_t)(sign | (exponent + 14) << 10 |
                      ((int)(magnitude * conform_power_of_two(11 - exponent)) & 1023));
}

double conform_bf16_value(uint16_t bits)
{
    const uint32_t wide = (uint32_t)bits << 16;
    float x;
    memcpy(&x, &wide, sizeof x);
    return (double)x;
}

uint16_t conform_bf16_nearest(double x)
{
    uint32_t bits;
    if (isnan(x))
        return signbit(x) ? 0xffc0 : 0x7fc0;
    /* a value of 8 bits is exact in f32, and an overflow becomes infinity in the conversion */
    const float rounded = (float)(isinf(x) ? x : copysign(round_to(fabs(x), 8, -133), x));
    memcpy(&bits, &rounded, sizeof bits);
    return (uint16_t)(bits >> 16);
}
