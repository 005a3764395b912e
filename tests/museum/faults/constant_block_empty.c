/* A block of equal elements has no range and is stored as zeros, without its minimum. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_1 *const b = block;
    (void)x;
    if (b->d == 0)
        b->m = 0;
}

ifn_status museum_constant_block_empty(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_1, edit);
}
