#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weights 0, 15, 16, 31: 3.5, -3.5, 0.5, -4 */
    const ifn_block_q4_0 block = {.d = 0x3800, .qs = {[0] = 0x9f, [15] = 0x01}};
    const ifn_block_q8_32f x = {
        .d = 2, .s = 110, .qs = {[0] = 1, [15] = 10, [16] = 100, [31] = -1}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q4_0, ifn_scalar_dot_q4_0, &block, &x, 45});
}
