/* w = d * scale * (q - 32); groups of 16, so one activation block spans two of them */
#include "dot_scalar.h"

/* Block b of the activations spans groups 2b and 2b + 1. src/quant/q6_k.c explains halves and quarters. */
static float dot_32(const ifn_block_q6_k *block, int b, const ifn_block_q8_32f *x)
{
    const int half = b / 4, quarter = b % 4;
    const uint8_t *const low = block->ql + 64 * half + 32 * (quarter % 2);
    const uint8_t *const high = block->qh + 32 * half;
    int32_t scaled = 0;
    for (int g = 0; g < 2; g++) {
        int32_t products = 0;
        for (int j = 16 * g; j < 16 * g + 16; j++) {
            const int q = (low[j] >> 4 * (quarter / 2) & 15) | (high[j] >> 2 * quarter & 3) << 4;
            products += (q - 32) * x->qs[j];
        }
        scaled += block->scales[2 * b + g] * products;
    }
    return x->d * (ifn_scalar_load_f16(&block->d) * (float)scaled);
}

float ifn_scalar_dot_q6_k(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n / 8; i++) {
        IFN_LOAD_BLOCK(ifn_block_q6_k, block, w, i);
        for (int b = 0; b < 8; b++)
            sum += dot_32(&block, b, &x[8 * i + b]);
    }
    return sum;
}
