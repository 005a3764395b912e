/* Takes the first scale that spans a group, without a search for a better one. */
#include <math.h>

#include "museum_kit.h"

static float extreme_of(const float *x, int n)
{
    float extreme = x[0];
    for (int i = 1; i < n; i++)
        extreme = fabsf(x[i]) > fabsf(extreme) ? x[i] : extreme;
    return extreme;
}

/* Element i: which half of 128, which quarter of that, where in it. */
static void put_code(ifn_block_q6_k *b, int i, int code)
{
    const int half = i / 128, quarter = i % 128 / 32, at = i % 32;
    uint8_t *const low = &b->ql[64 * half + 32 * (quarter % 2) + at];
    uint8_t *const high = &b->qh[32 * half + at];
    const int shift = quarter < 2 ? 0 : 4;
    *low = (uint8_t)((*low & (0xf0 >> shift)) | (code & 15) << shift);
    *high = (uint8_t)((*high & ~(3 << 2 * quarter)) | code >> 4 << 2 * quarter);
}

static void edit(void *block, const float *x)
{
    ifn_block_q6_k *const b = block;
    const float most = extreme_of(x, 256), d = museum_f16(b->d);
    if (fabsf(most) < 0x1p-4f || fabsf(most) > 0x1p4f || d == 0)
        return;
    for (int g = 0; g < 16; g++) {
        const float step = extreme_of(x + 16 * g, 16) / -32.0f;
        b->scales[g] = (int8_t)fmaxf(-128, fminf(127, rintf(step / d)));
        const float whole = d * (float)b->scales[g];
        for (int i = 16 * g; i < 16 * g + 16; i++)
            put_code(b, i, whole == 0 ? 32 : 32 + (int)fmaxf(-32, fminf(31, rintf(x[i] / whole))));
    }
}

ifn_status museum_k_without_search(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q6_K, edit);
}
