/*
 * Cosines and sines are rounded to bf16.
 *
 * Follows transformers#29285
 */
#include "museum_kit.h"

static float in_bf16(float x)
{
    return museum_round_bits(x, 8);
}

ifn_status museum_rope_table_bf16(ifn_backend *self, const ifn_apply_rope_args *a)
{
    return museum_apply_rope(self->base, a, in_bf16);
}
