/*
 * Groups of query heads are padded to a power of two, and the padding is stored over the first head of the next
 * group.
 */
#include "museum_kit.h"

static int64_t spilled(const ifn_attention_args *a, int64_t head)
{
    const int64_t group = a->n_heads / a->n_kv_heads, right = head / group;
    return head % group == 0 && right > 0 && (group & (group - 1)) ? right - 1 : right;
}

ifn_status museum_padded_group_spills(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_heads(self->base, a, spilled);
}
