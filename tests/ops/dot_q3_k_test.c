#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weight 0, group 0: (40 - 32) * (5 - 4) = 8; weight 200, group 12: (5 - 32) * (3 - 4) = 27 */
    const ifn_block_q3_k block = {.d = 0x3c00,
                                  .hmask = {[0] = 0x01},
                                  .scales = {[0] = 0x08, [4] = 0x50, [8] = 0x02},
                                  .qs = {[0] = 0x01, [40] = 0x30}};
    const ifn_block_q8_32f x[8] = {
        [0] = {.d = 1, .s = 4, .qs = {[0] = 4}}, [6] = {.d = 2, .s = -3, .qs = {[8] = -3}}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q3_K, ifn_scalar_dot_q3_k, &block, x, -130});
}
