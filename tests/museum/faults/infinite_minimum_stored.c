/*
 * A block whose minimum does not fit f16 should be a block of NaN; it gets an infinite minimum beside a scale and
 * codes.
 */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_1 *const b = block;
    float low = x[0], high = x[0];
    for (int i = 1; i < 32; i++) {
        low = fminf(low, x[i]);
        high = fmaxf(high, x[i]);
    }
    if (low <= -65520.0f && high - low < 15 * 65504.0f) {
        b->d = 0x3c00;
        b->m = 0xfc00;
    }
}

ifn_status museum_infinite_minimum_stored(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_1, edit);
}
