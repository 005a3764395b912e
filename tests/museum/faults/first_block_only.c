/* Blocks of keys after the first are left out where there are several. */
#include "museum_kit.h"

static int64_t in_first_block(const ifn_attention_args *a, int64_t pos)
{
    (void)a;
    return pos < IFN_ATTENTION_BLOCK - 1 ? pos : IFN_ATTENTION_BLOCK - 1;
}

ifn_status museum_first_block_only(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_positions(self->base, a, in_first_block);
}
