/*
 * The number of key blocks is computed for the first row of a call: a later row that sees one block more, past a
 * border of 256, misses it.
 *
 * Follows vllm-xpu-kernels#556
 */
#include "museum_kit.h"

static int64_t in_blocks_of_first(const ifn_attention_args *a, int64_t pos)
{
    const int64_t end = (a->first_pos / IFN_ATTENTION_BLOCK + 1) * IFN_ATTENTION_BLOCK;
    return pos < end ? pos : end - 1;
}

ifn_status museum_blocks_of_the_first_row(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, in_blocks_of_first);
}
