#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weight 0, group 0: 3 * 7 - 0.5 * 2 = 20; weight 164, group 5: 37 * 9 - 0.5 * 26 = 320 */
    const ifn_block_q4_k block = {
        .d = 0x3c00,
        .dmin = 0x3800,
        .scales = {[0] = 3, [1] = 2 << 6, [4] = 2, [5] = 1 << 6, [9] = 0xa5},
        .qs = {[0] = 0x07, [68] = 0x90}};
    const ifn_block_q8_32f x[8] = {
        [0] = {.d = 1, .s = 2, .qs = {[0] = 2}}, [5] = {.d = 0.5f, .s = -3, .qs = {[4] = -3}}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q4_K, ifn_scalar_dot_q4_k, &block, x, -440});
}
