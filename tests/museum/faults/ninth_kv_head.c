/* From the ninth KV head on the heads begin again at the first. */
#include "museum_kit.h"

static int64_t in_eight(const ifn_attention_args *a, int64_t head)
{
    return head * a->n_kv_heads / a->n_heads % 8;
}

ifn_status museum_ninth_kv_head(ifn_backend *self, const ifn_attention_args *a)
{
    if (a->n_kv_heads <= 8)
        return ifn_attention(self->base, a);
    return museum_attention_heads(self->base, a, in_eight);
}
