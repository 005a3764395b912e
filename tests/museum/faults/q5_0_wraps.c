/*
 * Codes are truncated to five bits without saturating: the code 32 of an element as large as the largest, with the
 * other sign, wraps to 0.
 *
 * Follows aiter#4637
 */
#include <math.h>

#include "museum_kit.h"

/* Of largest size, with its sign. */
static float most_of(const float *x)
{
    float most = 0;
    for (int i = 0; i < 32; i++)
        most = fabsf(x[i]) > fabsf(most) ? x[i] : most;
    return most;
}

static void edit(void *block, const float *x)
{
    ifn_block_q5_0 *const b = block;
    const float d = most_of(x) / -16.0f;
    for (int i = 0; i < 32 && museum_has_scale(b->d); i++) {
        if ((int)(x[i] * (1.0f / d) + 16.5f) < 32)
            continue;
        b->qs[i % 16] &= i < 16 ? 0xf0 : 0x0f;
        b->qh[i / 8] &= (uint8_t) ~(1u << i % 8);
    }
}

ifn_status museum_q5_0_wraps(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q5_0, edit);
}
