/* In groups of more than eight query heads those after the eighth read the next KV head. */
#include "museum_kit.h"

static int64_t in_groups_of_8(const ifn_attention_args *a, int64_t head)
{
    const int64_t kv_head = head / 8;
    return kv_head < a->n_kv_heads ? kv_head : a->n_kv_heads - 1;
}

ifn_status museum_group_over_8(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_kv_heads < 1 || a->n_heads / a->n_kv_heads <= 8)
        return ifn_attention(self->base, a);
    return museum_attention_heads(self->base, a, in_groups_of_8);
}
