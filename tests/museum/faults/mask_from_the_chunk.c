/*
 * The causal mask of a chunk starts at key 0, as if the cache had been empty. Calls of one row are right.
 *
 * Follows sparkinfer#3
 */
#include "museum_kit.h"

static int64_t in_chunk(const ifn_attention_args *a, int64_t pos)
{
    return a->rows == 1 ? pos : pos - a->first_pos;
}

ifn_status museum_mask_from_the_chunk(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, in_chunk);
}
