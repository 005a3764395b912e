/*
 * The conversion saturates symmetrically, at -7: the code -8 of the element of largest magnitude does not occur.
 *
 * Follows tt-metal#56526
 */
#include "museum_kit.h"

static void edit(void *block, const float *x)
{
    ifn_block_q4_0 *const b = block;
    (void)x;
    for (int i = 0; i < 16; i++) {
        b->qs[i] |= (b->qs[i] & 0x0f) == 0 ? 0x01 : 0;
        b->qs[i] |= (b->qs[i] & 0xf0) == 0 ? 0x10 : 0;
    }
}

ifn_status museum_q4_0_without_its_least(ifn_backend *self, const ifn_quantize_rows_args *a)
{
    return museum_quantized(self->base, a, IFN_DTYPE_Q4_0, edit);
}
