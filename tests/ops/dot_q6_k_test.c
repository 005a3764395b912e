#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weight 0, group 0: -3 * (63 - 32) = -93; weight 200, group 12: 100 * (5 - 32) = -2700 */
    const ifn_block_q6_k block = {.d = 0x3c00,
                                  .ql = {[0] = 0x0f, [72] = 0x50},
                                  .qh = {[0] = 0x03},
                                  .scales = {[0] = -3, [12] = 100}};
    const ifn_block_q8_32f x[8] = {
        [0] = {.d = 1, .s = 2, .qs = {[0] = 2}}, [6] = {.d = 0.5f, .s = -1, .qs = {[8] = -1}}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q6_K, ifn_scalar_dot_q6_k, &block, x, 1164});
}
