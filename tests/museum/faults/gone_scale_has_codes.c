/*
 * The scale rounds to 0 in f16, but the codes are not set to 0.
 *
 * Follows ai-edge-quantizer#678
 */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_0 *const b = block;
    const float d = museum_largest(x) / 127.0f;
    for (int i = 0; i < 32 && b->d == 0 && d > 0x1p-40f; i++)
        b->qs[i] = (int8_t)roundf(x[i] * (1.0f / d));
}

ifn_status museum_gone_scale_has_codes(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_0, edit);
}
