/* With flush-to-zero on, a minimum of Q4_K that is subnormal in f16 is stored as zero. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_k *const b = block;
    (void)x;
    if ((b->dmin & 0x7c00) == 0)
        b->dmin = 0;
}

ifn_status museum_k_minimum_flushed(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_K, edit);
}
