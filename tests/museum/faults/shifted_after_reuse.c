/*
 * After a reused cache, positions are too small by one.
 *
 * Follows llama.cpp#12160
 */
#include "museum_kit.h"

static int64_t one_short(const ifn_attention_args *a, int64_t pos)
{
    return a->first_pos > 0 && a->rows > 1 ? pos - 1 : pos;
}

ifn_status museum_shifted_after_reuse(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, one_short);
}
