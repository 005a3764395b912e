/*
 * Codes of Q4_0 are x times the inverse plus 8.5 in one rounding.
 *
 * Follows llama.cpp#8939
 */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_0 *const b = block;
    if (!museum_has_scale(b->d))
        return;
    float extreme = x[0];
    for (int i = 1; i < 32; i++)
        extreme = fabsf(x[i]) > fabsf(extreme) ? x[i] : extreme;
    const float inverse = 1.0f / (extreme / -8.0f);
    for (int i = 0; i < 16; i++) {
        const int low = (int)fminf(15, truncf(fmaf(x[i], inverse, 8.5f)));
        const int high = (int)fminf(15, truncf(fmaf(x[i + 16], inverse, 8.5f)));
        b->qs[i] = (uint8_t)(low | high << 4);
    }
}

ifn_status museum_q4_0_fused(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
