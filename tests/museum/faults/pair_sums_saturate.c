/*
 * Sums of two products of unsigned weights saturate at 16 bits.
 *
 * Follows oneDNN#717
 */
#include "museum_kit.h"

static int32_t saturated(int32_t x)
{
    return x > 32767 ? 32767 : x < -32768 ? -32768 : x;
}

static void saturate_block(const ifn_block_q8_0 *w, ifn_block_q8_32f *x, float *lost)
{
    int32_t excess = 0;
    for (int i = 0; i < 32; i += 2) {
        const int32_t pair = (w->qs[i] + 128) * x->qs[i] + (w->qs[i + 1] + 128) * x->qs[i + 1];
        excess += pair - saturated(pair);
    }
    *lost += museum_f16(w->d) * x->d * (float)excess;
}

ifn_status museum_pair_sums_saturate(ifn_backend *self, const ifn_linear_q8_args *a)
{
    return museum_linear_q8_lost(self->base, a, saturate_block);
}
