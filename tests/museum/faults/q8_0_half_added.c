/* Codes are rounded by adding 0.5 and truncating: for the largest float below 0.5 the sum rounds to 1. */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_0 *const b = block;
    if (!museum_has_scale(b->d))
        return;
    const float inverse = 1.0f / (museum_largest(x) / 127.0f);
    for (int i = 0; i < 32; i++)
        b->qs[i] = (int8_t)truncf(x[i] * inverse + (x[i] < 0 ? -0.5f : 0.5f));
}

ifn_status museum_q8_0_half_added(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_0, edit);
}
