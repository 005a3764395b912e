/* w = d * scale * q - dmin * min; groups of 32, one for each activation block */
#include "dot_scalar.h"
#include "kquant_scales.h"

static int32_t products_32(const ifn_block_q4_k *block, int g, const int8_t *x)
{
    const uint8_t *const qs = block->qs + 32 * (g / 2);
    const int shift = 4 * (g % 2);
    int32_t products = 0;
    for (int j = 0; j < 32; j++)
        products += (qs[j] >> shift & 15) * x[j];
    return products;
}

float ifn_scalar_dot_q4_k(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n / 8; i++, x += 8) {
        IFN_LOAD_BLOCK(ifn_block_q4_k, block, w, i);
        const float d = ifn_scalar_load_f16(&block.d), dmin = ifn_scalar_load_f16(&block.dmin);
        uint8_t scale[8], min[8];
        ifn_unpack_scales(block.scales, scale, min);
        for (int g = 0; g < 8; g++)
            sum += x[g].d * (d * (float)(scale[g] * products_32(&block, g, x[g].qs)) -
                             dmin * (float)(min[g] * x[g].s));
    }
    return sum;
}
