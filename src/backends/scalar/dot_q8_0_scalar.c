/* w = d * q */
#include "dot_scalar.h"

float ifn_scalar_dot_q8_0(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n; i++) {
        IFN_LOAD_BLOCK(ifn_block_q8_0, block, w, i);
        int32_t products = 0;
        for (int j = 0; j < 32; j++)
            products += block.qs[j] * x[i].qs[j];
        sum += x[i].d * (ifn_scalar_load_f16(&block.d) * (float)products);
    }
    return sum;
}
