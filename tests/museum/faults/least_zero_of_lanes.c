/*
 * If several zeros are the least elements of a block of Q5_1, the one in the lowest of eight lanes gives its sign,
 * not the first.
 */
#include <math.h>

#include "museum_kit.h"

static int lane_of_sign(const float *x, int sign)
{
    int least = 8;
    for (int i = 0; i < 32; i++)
        if (x[i] == 0 && (signbit(x[i]) != 0) == sign && i % 8 < least)
            least = i % 8;
    return least;
}

static void edit(void *block, const float *x)
{
    ifn_block_q5_1 *const b = block;
    const int plus = lane_of_sign(x, 0), minus = lane_of_sign(x, 1);
    if ((b->m & 0x7fff) == 0 && plus != minus && plus < 8 && minus < 8)
        b->m = plus < minus ? 0 : 0x8000;
}

ifn_status museum_least_zero_of_lanes(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q5_1, edit);
}
