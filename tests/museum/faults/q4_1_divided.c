/*
 * Codes of Q4_1 are divided by the scale, not multiplied by its inverse.
 *
 * Follows FBGEMM#387
 */
#include <math.h>

#include "museum_kit.h"

static int code_of(float x, float low, float d)
{
    return (int)fminf(15, truncf((x - low) / d + 0.5f));
}

static void edit(void *block, const float *x)
{
    ifn_block_q4_1 *const b = block;
    if (!museum_has_scale(b->d))
        return;
    float low = x[0], high = x[0];
    for (int i = 1; i < 32; i++) {
        low = fminf(low, x[i]);
        high = fmaxf(high, x[i]);
    }
    const float d = (high - low) / 15.0f;
    for (int i = 0; i < 16; i++)
        b->qs[i] = (uint8_t)(code_of(x[i], low, d) | code_of(x[i + 16], low, d) << 4);
}

ifn_status museum_q4_1_divided(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_1, edit);
}
