#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weight 0, group 0: 5 * 3 - 0.5 * 2 = 14; weight 200, group 12: 10 * 2 - 0.5 * 7 = 16.5 */
    const ifn_block_q2_k block = {.d = 0x3c00,
                                  .dmin = 0x3800,
                                  .scales = {[0] = 0x25, [12] = 0x7a},
                                  .qs = {[0] = 0x03, [40] = 0x20}};
    const ifn_block_q8_32f x[8] = {
        [0] = {.d = 1, .s = 4, .qs = {[0] = 4}}, [6] = {.d = 2, .s = -2, .qs = {[8] = -2}}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q2_K, ifn_scalar_dot_q2_k, &block, x, -10});
}
