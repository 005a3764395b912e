/* The scale of a block of zeros is +0; it should be -0, the result of 0 / -8. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_0 *const b = block;
    (void)x;
    b->d = b->d == 0x8000 ? 0 : b->d;
}

ifn_status museum_zero_block_positive(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
