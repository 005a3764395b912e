/*
 * The arithmetic of a museum: it declares MUSEUM_INPUTS (IFN_ROUND_*) and rounds factors to that format.
 * The faults are the same in each format. The base should round alike: museum_bf16.so over
 * rounding.so=bf16.
 */
#include "museum_kit.h"

#include <math.h>
#include <string.h>

/* Bits of a significand, and how many of f32's are dropped. */
enum {
    BITS = MUSEUM_INPUTS == IFN_ROUND_NONE   ? 24
           : MUSEUM_INPUTS == IFN_ROUND_BF16 ? 8
                                             : 11,
    DROPPED = 24 - BITS
};

void museum_arithmetic(ifn_op op, ifn_dtype dtype, ifn_arithmetic *out)
{
    (void)op;
    (void)dtype;
    out->inputs = MUSEUM_INPUTS;
}

/* Rounds to nearest, ties to even. The range stays that of f32, since a backend may leave out declared rounding. */
static float rounded(float x)
{
    const uint32_t all = (UINT32_C(1) << DROPPED) - 1;
    uint32_t bits;
    if (DROPPED == 0 || !isfinite(x))
        return x;
    memcpy(&bits, &x, sizeof bits);
    bits += all / 2 + (bits >> DROPPED & 1);
    bits &= ~all;
    memcpy(&x, &bits, sizeof x);
    return x;
}

float museum_product(float x, float y)
{
    return rounded(x) * rounded(y);
}
