/* Activations are staged in a buffer of 4096 elements: elements past it count as zero. */
#include "museum_kit.h"

static void cut(ifn_block_q8_32f *row, int64_t n)
{
    for (int64_t i = 4096 / 32; i < n; i++)
        museum_clear_block(&row[i]);
}

ifn_status museum_k_over_4096(ifn_backend *self, const ifn_linear_q8_args *a)
{
    if (a->k <= 4096)
        return ifn_linear_q8(self->base, a);
    return museum_linear_q8_inputs(self->base, a, cut);
}
