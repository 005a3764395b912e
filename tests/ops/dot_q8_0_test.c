#include "dot_cases.h"
#include "dot_scalar.h"

int main(void)
{
    /* weights 0 and 31: -64, 63.5 */
    const ifn_block_q8_0 block = {.d = 0x3800, .qs = {[0] = -128, [31] = 127}};
    const ifn_block_q8_32f x = {.d = 2, .s = 0, .qs = {[0] = 127, [31] = -127}};
    return dot_test(&(const dot_format){IFN_DTYPE_Q8_0, ifn_scalar_dot_q8_0, &block, &x, -32385});
}
