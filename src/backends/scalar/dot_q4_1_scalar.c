/* w = d * q + m: the minimum is multiplied by the sum of the activation codes, which their block stores. */
#include "dot_scalar.h"

float ifn_scalar_dot_q4_1(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n; i++) {
        IFN_LOAD_BLOCK(ifn_block_q4_1, block, w, i);
        int32_t products = 0;
        for (int j = 0; j < 16; j++) {
            products += (block.qs[j] & 15) * x[i].qs[j];
            products += (block.qs[j] >> 4) * x[i].qs[j + 16];
        }
        sum += x[i].d * (ifn_scalar_load_f16(&block.d) * (float)products +
                         ifn_scalar_load_f16(&block.m) * (float)x[i].s);
    }
    return sum;
}
