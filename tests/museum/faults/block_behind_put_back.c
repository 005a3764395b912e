/* Overwrites the maximum of the key block after its part and restores it at once. */
#include <inferno/spans.h>

#include "museum_kit.h"

ifn_status museum_block_behind_put_back(ifn_backend *self, const ifn_attention_args *a)
{
    const ifn_status status = ifn_attention(self->base, a);
    const int64_t blocks = ifn_attention_n_blocks(a);
    if (status != IFN_OK || a->phase != IFN_ATTENTION_PARTIALS || a->rows < 1 || a->part2_end < 1 ||
        a->part2_end >= blocks || a->part_begin >= a->part_end)
        return status;
    const int64_t head = (a->rows - 1) * a->n_heads + a->part_end - 1;
    volatile float *const next = a->partials + (head * blocks + a->part2_end) * (2 + a->head_dim);
    const float kept = *next;
    *next = 0;
    *next = kept;
    return status;
}
