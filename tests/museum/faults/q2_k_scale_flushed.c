/* With flush-to-zero on, a scale of Q2_K that is subnormal in f16 is stored as zero. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q2_k *const b = block;
    (void)x;
    if ((b->d & 0x7c00) == 0)
        b->d = 0;
}

ifn_status museum_q2_k_scale_flushed(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q2_K, edit);
}
