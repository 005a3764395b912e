/* Takes the first scale and minimum that span a group, without a search for better ones. */
#include <math.h>

#include "museum_kit.h"

typedef struct group {
    float least, span;
} group;

/* Of 16. */
static group span_of(const float *x)
{
    float least = 0, most = x[0];
    for (int i = 0; i < 16; i++) {
        least = fminf(least, x[i]);
        most = fmaxf(most, x[i]);
    }
    return (group){least, fmaxf(most - least, 0)};
}

static int rounded(float x, int most)
{
    return (int)fmaxf(0, fminf((float)most, rintf(x)));
}

static void put_codes(ifn_block_q2_k *b, int g, const float *x, float scale, float least)
{
    uint8_t *const qs = b->qs + 32 * (g / 8) + 16 * (g % 2);
    const int shift = g % 8 / 2 * 2;
    for (int i = 0; i < 16; i++) {
        const int code = scale == 0 ? 0 : rounded((x[i] + least) / scale, 3);
        qs[i] = (uint8_t)((qs[i] & ~(3 << shift)) | code << shift);
    }
}

static void edit(void *block, const float *x)
{
    ifn_block_q2_k *const b = block;
    const float most = museum_largest_of(x, 256), d = museum_f16(b->d), dmin = museum_f16(b->dmin);
    if (most < 0x1p-4f || most > 0x1p4f || d <= 0 || dmin <= 0)
        return;
    for (int g = 0; g < 16; g++, x += 16) {
        const group s = span_of(x);
        const int scale = rounded(s.span / 3.0f / d, 15), least = rounded(-s.least / dmin, 15);
        b->scales[g] = (uint8_t)(scale | least << 4);
        put_codes(b, g, x, d * (float)scale, dmin * (float)least);
    }
}

ifn_status museum_q2_k_without_search(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q2_K, edit);
}
