/* w = d * scale * (q - 4); groups of 16, so one activation block spans two of them */
#include "dot_scalar.h"
#include "kquant_scales.h"

/* Block b of the activations spans groups 2b and 2b + 1; bit b of hmask holds their third bits. */
static float dot_32(const ifn_block_q3_k *block, int b, const ifn_block_q8_32f *x)
{
    const uint8_t *const qs = block->qs + 32 * (b / 4);
    const int shift = 2 * (b % 4);
    int32_t scaled = 0;
    for (int g = 0; g < 2; g++) {
        int32_t products = 0;
        for (int j = 16 * g; j < 16 * g + 16; j++) {
            const int q = (qs[j] >> shift & 3) | (block->hmask[j] >> b & 1) << 2;
            products += (q - 4) * x->qs[j];
        }
        scaled += ifn_q3_k_scale(block->scales, 2 * b + g) * products;
    }
    return x->d * (ifn_scalar_load_f16(&block->d) * (float)scaled);
}

float ifn_scalar_dot_q3_k(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n / 8; i++) {
        IFN_LOAD_BLOCK(ifn_block_q3_k, block, w, i);
        for (int b = 0; b < 8; b++)
            sum += dot_32(&block, b, &x[8 * i + b]);
    }
    return sum;
}
