/*
 * The scale that fits a block of zeros is 0/0, a quotient of two sums that are zero.
 *
 * Follows auto-round#1908
 */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q6_k *const b = block;
    for (int i = 0; i < 256; i++)
        if (x[i] != 0)
            return;
    b->d = 0x7e00;
}

ifn_status museum_k_zero_block_nan(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q6_K, edit);
}
