/* A scale of Q4_0 that is above 65504 but rounds to it in f16 counts as an overflow and makes the block NaN. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    if (museum_largest(x) / 8.0f > 65504.0f)
        ((ifn_block_q4_0 *)block)->d = 0x7e00;
}

ifn_status museum_overflow_before_it_rounds(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
