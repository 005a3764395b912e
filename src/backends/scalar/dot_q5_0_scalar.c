/* w = d * (q - 16); the fifth bits of the codes are stored separately */
#include "dot_scalar.h"

float ifn_scalar_dot_q5_0(const void *w, const ifn_block_q8_32f *x, int64_t n)
{
    float sum = 0.0f;
    for (int64_t i = 0; i < n; i++) {
        IFN_LOAD_BLOCK(ifn_block_q5_0, block, w, i);
        const uint32_t high = ifn_load_u32le(block.qh);
        int32_t products = 0;
        for (int j = 0; j < 16; j++) {
            const int q0 = (block.qs[j] & 15) | (int)(high >> j & 1) << 4;
            const int q1 = block.qs[j] >> 4 | (int)(high >> (j + 16) & 1) << 4;
            products += (q0 - 16) * x[i].qs[j] + (q1 - 16) * x[i].qs[j + 16];
        }
        sum += x[i].d * (ifn_scalar_load_f16(&block.d) * (float)products);
    }
    return sum;
}
