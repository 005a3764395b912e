/* silu of one number, for silu and swiglu. */
#ifndef IFN_SILU_SCALAR_H
#define IFN_SILU_SCALAR_H

#include <math.h>

/* -inf gives -inf/inf = NaN, as the formula does; for finite x below -89 the exponential is infinite and
 * the quotient -0. */
static inline float ifn_scalar_silu_of(float x)
{
    return x / (1.0f + expf(-x));
}

#endif
