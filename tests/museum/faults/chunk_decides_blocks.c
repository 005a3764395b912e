/*
 * Rows of a chunk are rounded otherwise than single ones.
 *
 * Follows llama.cpp#249
 */
#include "museum_kit.h"

static int is_chunk(const ifn_attention_args *a, int64_t head)
{
    (void)head;
    return a->rows > 1;
}

ifn_status museum_chunk_decides_blocks(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_nudged(self->base, a, is_chunk);
}
