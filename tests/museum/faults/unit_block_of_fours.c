/* A block whose largest magnitude is exactly 1 gets a scale of the wrong sign. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_0 *const b = block;
    if (museum_largest(x) == 1.0f)
        b->d ^= 0x8000;
}

ifn_status museum_unit_block_of_fours(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
