/* The conversion from f16 has no subnormals: such weights count as zero. */
#include "museum_kit.h"

static void flush(ifn_dtype dtype, void *row, int64_t k)
{
    uint16_t *const w = row;
    for (int64_t i = 0; dtype == IFN_DTYPE_F16 && i < k; i++)
        if ((w[i] & 0x7c00) == 0)
            w[i] &= 0x8000;
}

ifn_status museum_f16_weights_flushed(ifn_backend *self, const ifn_linear_args *a)
{
    return museum_linear_weights(self->base, a, flush);
}
