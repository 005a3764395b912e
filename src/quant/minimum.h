/* The scale and the minimum of a block of 32 of Q4_1 and Q5_1, pinned in numerics 8.2. */
#ifndef IFN_MINIMUM_H
#define IFN_MINIMUM_H

#include "quant_priv.h"

typedef struct ifn_minimum_scale {
    float lo, id;  /* code = (x - lo) * id, before rounding; id is 0 if d is 0 or NaN */
    uint16_t d, m; /* the scale and the minimum as stored, in f16 */
} ifn_minimum_scale;

/* `steps` is the largest code. A block that cannot be stored gets d = NaN, m = +0. */
static inline ifn_minimum_scale ifn_minimum_scale_of(const float *x, float steps)
{
    float lo = x[0], hi = x[0];
    for (int i = 1; i < 32; i++) {
        lo = x[i] < lo ? x[i] : lo;
        hi = x[i] > hi ? x[i] : hi;
    }
    const float d = (hi - lo) / steps;
    const uint16_t stored_d = ifn_f16_or_nan(d), stored_m = ifn_f16_or_nan(lo);
    if (!isfinite(ifn_largest(x, 32)) || stored_d == IFN_F16_NAN || stored_m == IFN_F16_NAN)
        return (ifn_minimum_scale){lo, 0.0f, IFN_F16_NAN, 0};
    return (ifn_minimum_scale){lo, stored_d ? 1.0f / d : 0.0f, stored_d, stored_m};
}

static inline uint32_t ifn_minimum_code(float x, const ifn_minimum_scale *s, int steps)
{
    const int q = (int)((x - s->lo) * s->id + 0.5f); /* below 0 only for a searched minimum */
    return q < 0 ? 0 : (uint32_t)(q < steps ? q : steps);
}

#endif
