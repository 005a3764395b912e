/* If two elements have the same largest magnitude, the last one decides the sign of the scale. */
#include <math.h>

#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_0 *const b = block;
    float extreme = x[0];
    for (int i = 1; i < 32; i++)
        extreme = fabsf(x[i]) >= fabsf(extreme) ? x[i] : extreme;
    if (extreme != 0)
        b->d = (uint16_t)((b->d & 0x7fff) | (extreme > 0 ? 0x8000 : 0));
}

ifn_status museum_last_of_equal(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
