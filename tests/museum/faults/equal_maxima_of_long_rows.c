/*
 * Long rows are searched for their largest element first and for their least after that: of equal magnitudes a
 * positive one wins, even if the negative one comes first.
 */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_0 *const b = block;
    const float most = museum_largest(x);
    int has_positive = 0, has_negative = 0;
    for (int i = 0; i < 32; i++) {
        has_positive |= x[i] == most;
        has_negative |= x[i] == -most;
    }
    if (museum_has_scale(b->d) && has_positive && has_negative)
        b->d |= 0x8000;
}

ifn_status museum_equal_maxima_of_long_rows(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    if (a->cols <= 1024)
        return ifn_quantize_rows(self->base, a);
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
