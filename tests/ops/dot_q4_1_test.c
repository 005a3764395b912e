#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weights 0, 16: 6.5, 3.5 */
    const ifn_block_q4_1 block = {.d = 0x3800, .m = 0xbc00, .qs = {[0] = 0x9f}};
    const ifn_block_q8_32f x = {.d = 2, .s = 101, .qs = {[0] = 1, [16] = 100}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q4_1, ifn_scalar_dot_q4_1, &block, &x, 713});
}
