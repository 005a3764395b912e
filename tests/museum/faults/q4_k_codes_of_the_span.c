/* Takes the first scales and minima that span the groups, without a search for better ones. */
#include <math.h>

#include "museum_kit.h"

typedef struct fit {
    float d, dmin;
    int scale[8], least[8];
} fit;

static int rounded(float x, int most)
{
    return (int)fmaxf(0, fminf((float)most, rintf(x)));
}

/* Of 32. */
static void span_of(const float *x, float *span, float *least)
{
    float most = x[0];
    *least = 0;
    for (int i = 0; i < 32; i++) {
        *least = fminf(*least, x[i]);
        most = fmaxf(most, x[i]);
    }
    *span = fmaxf(most - *least, 0);
}

/* Six bits each: groups 0 to 3 in bytes of their own, what 4 to 7 have is shared out. */
static void put_scales(ifn_block_q4_k *b, const fit *f)
{
    for (int g = 0; g < 4; g++) {
        const int s = f->scale[g + 4], m = f->least[g + 4];
        b->scales[g] = (uint8_t)(f->scale[g] | s >> 4 << 6);
        b->scales[g + 4] = (uint8_t)(f->least[g] | m >> 4 << 6);
        b->scales[g + 8] = (uint8_t)((s & 15) | (m & 15) << 4);
    }
}

static void put_code(ifn_block_q4_k *b, int i, int code)
{
    uint8_t *const at = &b->qs[i / 64 * 32 + i % 32];
    const int shift = i % 64 / 32 * 4;
    *at = (uint8_t)((*at & (0xf0 >> shift)) | code << shift);
}

static void edit(void *block, const float *x)
{
    ifn_block_q4_k *const b = block;
    fit f = {.d = museum_f16(b->d), .dmin = museum_f16(b->dmin)};
    const float most = museum_largest_of(x, 256);
    if (most < 0x1p-4f || most > 0x1p4f || f.d <= 0 || f.dmin <= 0)
        return;
    for (int g = 0; g < 8; g++) {
        float span, least;
        span_of(x + 32 * g, &span, &least);
        f.scale[g] = rounded(span / 15.0f / f.d, 63);
        f.least[g] = rounded(-least / f.dmin, 63);
    }
    put_scales(b, &f);
    for (int i = 0; i < 256; i++) {
        const float step = f.d * (float)f.scale[i / 32], low = f.dmin * (float)f.least[i / 32];
        put_code(b, i, step == 0 ? 0 : rounded((x[i] + low) / step, 15));
    }
}

ifn_status museum_q4_k_codes_of_the_span(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_K, edit);
}
