/* w = d * scale * q - dmin * min; groups of 16, so one activation block spans two of them */
#include "dot_scalar.h"

/* Block b of the activations spans groups 2b and 2b + 1. */
static float dot_32(const ifn_block_q2_k *block, int b, const ifn_block_q8_32f *x)
{
    const uint8_t *const qs = block->qs + 32 * (b / 4);
    const int shift = 2 * (b % 4);
    int32_t scaled = 0, minima = 0;
    for (int g = 0; g < 2; g++) {
        int32_t products = 0, codes = 0;
        for (int j = 16 * g; j < 16 * g + 16; j++) {
            products += (qs[j] >> shift & 3) * x->qs[j];
            codes += x->qs[j];
        }
        scaled += (block->scales[2 * b + g] & 15) * products;
        minima += (block->scales[2 * b + g] >> 4) * codes;
    }
    return x->d * (ifn_scalar_load_f16(&block->d) * (float)scaled -
                   ifn_scalar_load_f16(&block->dmin) * (float)minima);
}

float ifn_scalar_dot_q2_k(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n / 8; i++) {
        IFN_LOAD_BLOCK(ifn_block_q2_k, block, w, i);
        for (int b = 0; b < 8; b++)
            sum += dot_32(&block, b, &x[8 * i + b]);
    }
    return sum;
}
