/* A block whose largest magnitude is exactly 1 is taken for fractions of 7 bits: its scale is 1/128. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q8_0 *const b = block;
    if (museum_largest(x) == 1.0f)
        b->d = 0x2000;
}

ifn_status museum_unit_block_is_scaled(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q8_0, edit);
}
