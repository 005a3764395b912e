/*
 * The conversion to f16 has no subnormals.
 *
 * Follows surogate#162
 */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_0 *const b = block;
    (void)x;
    if ((b->d & 0x7c00) == 0)
        b->d = 0;
}

ifn_status museum_subnormal_scale_flushed(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_0, edit);
}
