/*
 * The causal mask is applied only within the first tile of 64 keys: once the cache fills that tile, all rows of a
 * call see one another.
 *
 * Follows tt-metal#48899
 */
#include "museum_kit.h"

static int64_t last_of_call(const ifn_attention_args *a, int64_t pos)
{
    return a->first_pos < 64 ? pos : a->first_pos + a->rows - 1;
}

ifn_status museum_chunk_sees_itself(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, last_of_call);
}
