#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weights 0, 16, 31: 14.5, 3.5, 8 */
    const ifn_block_q5_1 block = {
        .d = 0x3800, .m = 0xbc00, .qh = {0x01, 0, 0, 0x80}, .qs = {[0] = 0x9f, [15] = 0x20}};
    const ifn_block_q8_32f x = {.d = 2, .s = 111, .qs = {[0] = 1, [16] = 10, [31] = 100}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q5_1, ifn_scalar_dot_q5_1, &block, &x, 1699});
}
