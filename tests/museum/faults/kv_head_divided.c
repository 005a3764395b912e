/*
 * Head h reads the KV head h / n_kv_heads.
 *
 * Follows ONNXim#34
 */
#include "museum_kit.h"

static int64_t divided(const ifn_attention_args *a, int64_t head)
{
    const int64_t at = head / a->n_kv_heads;
    return at < a->n_kv_heads ? at : a->n_kv_heads - 1;
}

ifn_status museum_kv_head_divided(ifn_backend *self, const ifn_attention_args *a)
{
    return museum_attention_heads(self->base, a, divided);
}
