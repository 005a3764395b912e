/* The KV head of a query head is looked up in a table of 32 entries, by five bits. */
#include "museum_kit.h"

static int64_t of_32(const ifn_attention_args *a, int64_t head)
{
    return head % 32 * a->n_kv_heads / a->n_heads;
}

ifn_status museum_kv_head_of_32_heads(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_heads <= 32)
        return ifn_attention(self->base, a);
    return museum_attention_heads(self->base, a, of_32);
}
