/* The search for the largest magnitude tries positive elements first. */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q5_0 *const b = block;
    const float most = museum_largest(x);
    int has_positive = 0, has_negative = 0;
    for (int i = 0; i < 32; i++) {
        has_positive |= x[i] == most;
        has_negative |= x[i] == -most;
    }
    if (most > 0 && has_positive && has_negative)
        b->d |= 0x8000;
}

ifn_status museum_first_of_opposite_maxima(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q5_0, edit);
}
