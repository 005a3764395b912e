#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weights 0, 16, 31: 7.5, -3.5, 1 */
    const ifn_block_q5_0 block = {
        .d = 0x3800, .qh = {0x01, 0, 0, 0x80}, .qs = {[0] = 0x9f, [15] = 0x20}};
    const ifn_block_q8_32f x = {.d = 2, .s = 111, .qs = {[0] = 1, [16] = 10, [31] = 100}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q5_0, ifn_scalar_dot_q5_0, &block, &x, 145});
}
