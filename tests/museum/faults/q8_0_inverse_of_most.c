/* One rounding instead of two before the codes: 127 / amax for 1 / (amax / 127). */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_0 *const b = block;
    if (!museum_has_scale(b->d))
        return;
    const float inverse = 127.0f / museum_largest(x);
    for (int i = 0; i < 32; i++)
        b->qs[i] = (int8_t)roundf(x[i] * inverse);
}

ifn_status museum_q8_0_inverse_of_most(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_0, edit);
}
