/* Codes of Q8_0 are divided by the scale, not multiplied by its inverse. */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_0 *const b = block;
    if (!museum_has_scale(b->d))
        return;
    const float d = museum_largest(x) / 127.0f;
    for (int i = 0; i < 32; i++)
        b->qs[i] = (int8_t)roundf(x[i] / d);
}

ifn_status museum_q8_0_divided(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_0, edit);
}
